"""A game for people and programs: decisions, records, saves, snapshots."""
