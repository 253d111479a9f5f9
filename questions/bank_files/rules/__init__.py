"""Bank files as text: one file, an exam's folder, its checks and its table."""
