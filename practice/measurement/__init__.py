"""What answers say of questions and of learners, as figures."""
