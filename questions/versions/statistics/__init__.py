"""What answers say about a version: the tables, the rules that interpret them, and the editors' pages."""
