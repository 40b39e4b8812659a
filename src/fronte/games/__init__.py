"""The games: rules by chapter, and their data packs."""
