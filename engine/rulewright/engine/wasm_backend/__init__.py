"""The back end that writes WebAssembly: the program of a ruleset as a module, and what drives it from Python."""
