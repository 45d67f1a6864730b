"""Export of rulesets for hosts without Python: a WebAssembly module, its interface, and a JavaScript host."""
