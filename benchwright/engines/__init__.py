"""Where the work of a stage is done: in processes of this machine, or on a Ray cluster.

What comes of it is the same, byte for byte. ``engine_options`` gives a command its options,
``connected`` a cluster to use, ``ray_pool`` its workers, ``pools`` the workers of either engine.
"""
