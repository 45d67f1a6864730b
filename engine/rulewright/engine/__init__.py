"""The engine: state, games and saves, back ends, narration, boards."""
