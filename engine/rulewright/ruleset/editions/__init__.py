"""Find editions in folders, zips and installed packages, and read their manifests and rules files."""
