"""Question pictures: what is accepted, the stored name, which versions show one, and who may see it."""
