"""Order: in which order scores put classifiers, and where conventions, averages or measures disagree."""
