"""What readers find things by: search, other words, previews."""
