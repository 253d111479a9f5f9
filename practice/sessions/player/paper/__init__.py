"""A session on paper: the booklet to print, and the answer sheet that is typed in afterwards."""
