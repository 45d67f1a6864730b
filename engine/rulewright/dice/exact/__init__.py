"""What exact odds are made of: counts of whole numbers, and what they cost."""
