"""What answers say about questions and learners, in figures."""
