"""Studies: many games between players, what happened in them as tables, and a report that answers a designer."""
