"""A question's history, the site's errata, and both as data for machines."""
