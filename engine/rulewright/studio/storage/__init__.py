"""Storage for a project folder, with file versions, history, locking and share links."""
