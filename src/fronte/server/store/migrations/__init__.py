"""The tables of the database, step by step (alembic). A new step is a new file in `versions`."""
