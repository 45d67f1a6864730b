"""What a module is written with: memory laid out, values and operations as instructions, and their bytes."""
