"""What any public page tells machines: its head and its data block, of whatever the page is about."""
