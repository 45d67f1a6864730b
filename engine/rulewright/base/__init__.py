"""The base of all packages: errors, resources, plug-ins and statistics."""
