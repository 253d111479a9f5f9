"""How hard each question is, fitted every night from first exposures."""
