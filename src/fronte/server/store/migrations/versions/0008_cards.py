"""What a list of matches shows of each, what is put away, and offers of a draw."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Nothing is put away, nothing is offered; what a list shows is written with the next decision."""
    op.add_column("match", sa.Column("card", sa.Text))
    for table, column in (("match", "archived"), ("seat", "draw"), ("seat", "archived")):
        op.add_column(table, sa.Column(column, sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """How a match ended stays with it."""
    for table, column in (("match", "card"), ("match", "archived"), ("seat", "draw"), ("seat", "archived")):
        op.execute(f'ALTER TABLE "{table}" DROP COLUMN "{column}"')
