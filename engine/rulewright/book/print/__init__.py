"""The book on paper: whole, short, as a player aid and as cards."""
