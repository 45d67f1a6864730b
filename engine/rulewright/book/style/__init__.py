"""How words look: plain, or as HTML with links and icons; and what every page works with."""
