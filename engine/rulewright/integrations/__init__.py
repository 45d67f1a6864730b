"""Doors for other people's agents: any ruleset as a game of OpenSpiel or as an environment of PettingZoo."""
