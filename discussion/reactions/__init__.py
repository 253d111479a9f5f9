"""What a reader does with another's comment: finds it helpful, reports it, follows it."""
