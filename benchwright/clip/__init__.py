"""Pictures and texts as vectors, by any CLIP of open_clip; torch is imported only to load one."""
