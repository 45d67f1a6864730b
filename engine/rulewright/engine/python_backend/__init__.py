"""The back end that compiles checked steps to Python source, split at each suspension point."""
