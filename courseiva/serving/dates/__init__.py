"""How dates are written and read where no template says so, the admin above all."""
