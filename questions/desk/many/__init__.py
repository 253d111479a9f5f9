"""Work on several questions at once: families, copies, deletions, and changes that a second person reviews."""
