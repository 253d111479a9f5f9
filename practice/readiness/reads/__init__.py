"""The hub, the progress page, the recommended step, and how predictions turned out."""
