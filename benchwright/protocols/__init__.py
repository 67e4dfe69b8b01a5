"""What protocols ask and how answers are read: shared by runs and by tasks of other harnesses.

The modules are copied into the folders of tasks as they stand, so they import nothing of ours at
their top.
"""
