"""What answers say of a version: the tables, the rules that read them, and the editors' pages."""
