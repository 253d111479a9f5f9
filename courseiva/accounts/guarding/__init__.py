"""What guards accounts: attempts counted, codes used, sign-ins that meet an end."""
