"""The thread under a question: reading it, and writing in it."""
