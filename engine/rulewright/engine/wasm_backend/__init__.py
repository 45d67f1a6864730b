"""The back end that compiles programs to WebAssembly, and its host in Python."""
