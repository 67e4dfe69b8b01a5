"""Where the work of a stage is done: in processes of this machine, or on a Ray cluster.

What comes of it is the same, byte for byte. ``engine_options`` gives a command its options,
``workers_of`` the workers of either engine. On a cluster there are two ways to work: ``RayPool``
does pure functions, again where a process dies; a ``Crew`` makes calls that cost money, each once.
"""
