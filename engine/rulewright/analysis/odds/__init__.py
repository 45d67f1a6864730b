"""Exact odds of whole procedures: every branch of chance, equal states merged, and what it all comes to."""
