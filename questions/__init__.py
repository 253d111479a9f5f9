"""What is asked: exams, questions and their versions, study modules, the public pages."""
