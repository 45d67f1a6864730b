"""The studio's HTTP server: the JSON API, sessions, file watching, release steps."""
