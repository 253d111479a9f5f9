"""Does the variant after a miss help? Forecasts for the trial, its one look, and who takes part."""
