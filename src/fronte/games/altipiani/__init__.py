"""Inferno sugli Altipiani: the spring offensive of 1916 between the Adige and the Brenta."""
