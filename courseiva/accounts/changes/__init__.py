"""What happens to an account: it gets another name, joins a guest's work, is deleted."""
