"""Whether the pages that questions cite can still be opened."""
