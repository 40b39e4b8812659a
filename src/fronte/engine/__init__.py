"""The engine: decisions, events, dice, views, saves. Knows no game and does no input or output of its own."""
