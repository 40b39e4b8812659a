"""Matches for practice, and the hints that were asked for in others."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """No match of before was begun for practice, and nobody could ask."""
    op.add_column("match", sa.Column("practice", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("seat", sa.Column("hints", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    """Who asked is forgotten."""
    for table, column in (("match", "practice"), ("seat", "hints")):
        op.execute(f'ALTER TABLE "{table}" DROP COLUMN "{column}"')
