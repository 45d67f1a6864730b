"""The studio's HTTP server with its JSON API, file watching and release steps."""
