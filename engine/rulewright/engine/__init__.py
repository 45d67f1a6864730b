"""Playing a ruleset: the machine, its state, decisions, chance, events, records."""
