"""What carries out rules: the state, the plain interpreter, and what every back end is."""
