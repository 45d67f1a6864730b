"""Many games: shards that any worker plays, counts that add up, reports."""
