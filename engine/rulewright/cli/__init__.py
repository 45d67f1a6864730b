"""The command line: one module per verb in `commands`, found by themselves."""
