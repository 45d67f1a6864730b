"""Exact distributions: convolution, order statistics, conditioning, and the cost of each."""
