"""Games: decisions, records, saves, snapshots, scripts, migration."""
