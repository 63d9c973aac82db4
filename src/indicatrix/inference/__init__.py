"""How sure a score is: intervals from the counts that an evaluation keeps."""
