"""What every package builds on: errors, resources, plug-ins and statistics."""
