"""Sessions as other rooms read them: past and unfinished ones, marked answers, threads that may be read."""
