"""What a rules file may look like: the model's shapes as JSON Schema, and its errors in a designer's words."""
