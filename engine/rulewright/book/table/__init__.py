"""What a page needs beyond the rules themselves to draw a game while it is played."""
