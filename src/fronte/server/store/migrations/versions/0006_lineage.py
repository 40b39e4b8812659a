"""Where links come from: from which other link, or by which account, so that what came of one can be ended with it."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Of the links of before nobody knows it."""
    op.add_column("link", sa.Column("parent", sa.String(32)))
    op.add_column("link", sa.Column("account", sa.String(32)))


def downgrade() -> None:
    """It is forgotten."""
    for column in ("account", "parent"):
        op.execute(f'ALTER TABLE "link" DROP COLUMN "{column}"')
