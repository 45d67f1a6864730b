"""Tests in the rules: examples, traces, sample games, recorded runs."""
