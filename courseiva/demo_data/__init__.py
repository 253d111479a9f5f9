"""A site with people in it, to try the pages that are empty halls without them. Never for a real site."""
