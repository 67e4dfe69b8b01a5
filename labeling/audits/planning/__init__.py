"""Planning an audit: which labels are to be judged, how many, and by whom twice."""
