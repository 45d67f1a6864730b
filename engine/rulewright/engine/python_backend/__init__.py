"""The compiler: checked steps → Python source, cut into segments at each stop."""
