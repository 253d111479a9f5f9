"""Does the variant after a miss help? The trial's forecasts, its single analysis, and who takes part."""
