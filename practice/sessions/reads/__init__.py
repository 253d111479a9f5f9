"""Sessions as other rooms ask for them: past and open ones, marked answers, threads that may be read."""
