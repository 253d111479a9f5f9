"""Reading a thread and writing in it."""
