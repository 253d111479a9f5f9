"""The hub, the progress page, and the calibration page."""
