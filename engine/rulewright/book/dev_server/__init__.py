"""A site that follows edits."""
