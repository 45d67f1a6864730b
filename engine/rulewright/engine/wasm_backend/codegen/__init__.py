"""Code generation for WebAssembly: memory layout, instructions, binary encoding."""
