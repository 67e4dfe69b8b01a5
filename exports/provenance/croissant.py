def write_croissant(making):
    pass
