"""What pages and mails tell machines in their heads, whatever they are about."""
