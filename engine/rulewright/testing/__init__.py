"""Examples, samples and runs of one procedure: from a starting position, by scripted dice and choices."""
