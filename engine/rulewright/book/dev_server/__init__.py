"""The development server, which rebuilds the pages that an edit touches."""
