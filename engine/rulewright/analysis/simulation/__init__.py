"""Simulations of many games, with shards for workers, counts, metrics, reports, sensitivity and tournaments."""
