"""What a learner does with it: sessions, results, reviews, readiness."""
