"""Integrations: any ruleset as a game of OpenSpiel, or an environment of PettingZoo or Gymnasium."""
