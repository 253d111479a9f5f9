"""What a page, a mail or a script says to people, without its markup; pure."""
