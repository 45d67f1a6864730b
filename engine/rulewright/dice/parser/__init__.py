"""From text to a tree: the grammar read by its tables, what its rules mean, and dice made of dice."""
