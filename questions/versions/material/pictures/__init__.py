"""Pictures of questions: what is taken, under which name it is stored, which versions show it, and who may see it."""
