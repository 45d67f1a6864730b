"""German: the words of the book, and the planner of sentences for steps, with its cases and word order."""
