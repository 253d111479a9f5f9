"""A session on paper: the booklet to print, and the sheet that is typed in afterwards."""
