"""What every request goes through: headers, a log line, a count."""
