"""People: accounts, the links that open a match, and who sits where."""
