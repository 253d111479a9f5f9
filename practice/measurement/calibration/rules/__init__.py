"""Item parameters from answers alone: classical, marginal, fitted."""
