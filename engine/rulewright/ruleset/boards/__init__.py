"""Boards: the shapes that a board can have, each with its spaces, its picture and its text."""
