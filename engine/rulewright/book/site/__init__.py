"""A site on any host: built, checked, put in place as a whole."""
