"""A drill of public questions that is taken along on a device, with its solutions."""
