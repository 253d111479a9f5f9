"""Item statistics as editors read them, and what the bank covers."""
