"""What needs no framework: the environment, log lines, counts."""
