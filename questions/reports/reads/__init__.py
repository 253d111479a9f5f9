"""Reports as seen by their reporters, and who a reporter is."""
