"""How dice are drawn from a generator or a script, and put together as a tree says."""
