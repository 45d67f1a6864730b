"""The program: what the procedures of a ruleset do, in few typed operations. Machines, odds and lints read it."""
