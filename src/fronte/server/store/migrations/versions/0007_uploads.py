"""What was handed in is counted, so that it cannot fill the disk."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """What was handed in before is not counted."""
    op.create_table(
        "upload",
        sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("source", sa.String(64), nullable=False),
        sa.Column("anonymous", sa.Boolean, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("upload_source", "upload", ["source"])


def downgrade() -> None:
    """Nothing is counted any more."""
    op.drop_table("upload")
