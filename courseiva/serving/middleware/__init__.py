"""What every request passes: headers, a line in the log, a count."""
