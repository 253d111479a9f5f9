"""Which questions the public may see, and questions as readers see them."""
