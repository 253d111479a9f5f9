"""A site with people in it, to try the pages that are empty halls without them; never for a real site."""
