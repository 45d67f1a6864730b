"""What the page of an edition on which it is played must know."""
