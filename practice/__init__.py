"""What learners do with questions: sessions, results, reviews, readiness."""
