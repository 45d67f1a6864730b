"""Words for readers: their placeholders, what these mean, and what holds hand-written text to the rules."""
