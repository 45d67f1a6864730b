"""Files: read with limits and without trust, written atomically."""
