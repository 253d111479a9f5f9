"""Code that needs no framework: the environment, log lines, counters."""
