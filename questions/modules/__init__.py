"""Study modules: written in files, checked, and loaded into rows."""
