"""The database: its tables and rows, the lock on its file, and what its processes tell each other through it."""
