"""A word that was lost: seats ask, and agree, to begin the dice anew."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Nobody has asked yet."""
    op.add_column("seat", sa.Column("anew", sa.String(8)))


def downgrade() -> None:
    """What was asked is forgotten; what has been begun anew stands in the headings of the matches."""
    op.execute('ALTER TABLE "seat" DROP COLUMN "anew"')
