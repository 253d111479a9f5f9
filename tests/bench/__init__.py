"""``make bench``: measures the load the site can carry, its cost compared with other things, and how both grow."""
