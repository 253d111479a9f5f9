"""Reports as their reporters see them, and who a reporter is."""
