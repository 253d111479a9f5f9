"""What staff keep for a while: texts in question that their authors took away, and answered requests."""
