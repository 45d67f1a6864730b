"""What may still be said of rules that have faults."""
