"""Hidden-target galleries: similarity, pools, episodes, their report."""
