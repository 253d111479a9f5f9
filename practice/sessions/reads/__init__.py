"""Sessions as other rooms ask for them: past and open ones, judged answers, threads that may be read."""
