"""What moderators do: one act, one entry in the log, and putting it back."""
