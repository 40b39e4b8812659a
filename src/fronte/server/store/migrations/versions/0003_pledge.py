"""Dice one can trust: the secret of the house, and the words of the seats under seal."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Matches from before have no pledge and go on without one."""
    op.add_column("match", sa.Column("secret", sa.String(64)))
    op.add_column("seat", sa.Column("seal", sa.String(64)))
    op.add_column("seat", sa.Column("word", sa.Text))


def downgrade() -> None:
    """Secrets and words are lost; the headings of matches still say what they were bound to."""
    for table, column in (("seat", "word"), ("seat", "seal"), ("match", "secret")):
        op.execute(f'ALTER TABLE "{table}" DROP COLUMN "{column}"')
