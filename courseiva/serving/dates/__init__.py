"""How dates are written and read where no template decides, mainly in the admin."""
