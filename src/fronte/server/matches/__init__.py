"""Matches that are being played: in memory, as each may see them, with their machine players and what is said."""
