"""Files read with bounds and without trust, and written whole or not at all."""
