"""Inferno sull'Isonzo: the Bainsizza battle of August 1917."""
