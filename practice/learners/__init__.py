"""Who practises: a signed-in user or a guest, and what they keep for themselves."""
