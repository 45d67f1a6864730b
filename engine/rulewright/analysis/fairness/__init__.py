"""Is it fair? Questions about a game, each in a file of its own, answered by games that are played once for all."""
