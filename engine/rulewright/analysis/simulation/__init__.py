"""Simulation: shards of games for workers, counts, metrics, reports, sensitivity, tournaments."""
