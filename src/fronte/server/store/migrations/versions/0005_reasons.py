"""Why machine players did what they did is kept."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """What was said before is not known any more."""
    op.create_table(
        "reason",
        sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seats", sa.String(200), nullable=False),
        sa.Column("why", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """The reasons are forgotten."""
    op.drop_table("reason")
