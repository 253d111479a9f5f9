"""What staff keep for a while: withdrawn texts that were under review, and answered requests."""
