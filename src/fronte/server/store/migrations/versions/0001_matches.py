"""Matches, their records and the tokens of their seats."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "match",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("heading", sa.Text, nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("seed_known", sa.Boolean, nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("line", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("result", sa.Text),
    )
    op.create_index("match_changed", "match", ["changed"])
    op.create_table(
        "entry",
        sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "token",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seat", sa.String(32), nullable=False),
        sa.Column("watches", sa.Boolean, nullable=False),
    )
    op.create_index("token_match", "token", ["match"])


def downgrade() -> None:
    """Take them away again."""
    for name in ("token", "entry", "match"):
        op.drop_table(name)
