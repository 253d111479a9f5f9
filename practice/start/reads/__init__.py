"""Which questions a session takes, and the pages that offer one."""
