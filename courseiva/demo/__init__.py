"""A site full of simulated people, for trying pages that would otherwise be empty; never for a real site."""
