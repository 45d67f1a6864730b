"""Tests written in the rules, such as examples, sample games and recorded runs."""
