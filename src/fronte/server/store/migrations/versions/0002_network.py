"""Play across the network: links instead of tokens, accounts, seats, chat, notes, clocks and notices."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the new tables and carry over what the old ones hold."""
    op.add_column("match", sa.Column("clock", sa.Text))
    op.add_column("match", sa.Column("ended", sa.Text))
    op.add_column("entry", sa.Column("at", sa.BigInteger, nullable=False, server_default="0"))
    _accounts()
    _seats()
    _links()
    _talk()
    _notices()


def _accounts() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("key", sa.String(80), nullable=False, unique=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "session",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("account", sa.String(32), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
    op.create_index("session_account", "session", ["account"])


def _seats() -> None:
    seat = op.create_table(
        "seat",
        sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("seat", sa.String(32), primary_key=True),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("account", sa.String(32), sa.ForeignKey("account.id")),
        sa.Column("forced", sa.Boolean, nullable=False),
        sa.Column("spectators", sa.Text),
    )
    op.create_index("seat_account", "seat", ["account"])
    op.create_index("seat_state", "seat", ["state"])
    found = op.get_bind().execute(sa.text('SELECT id, seats FROM "match"')).all()
    rows = [
        {"match": match, "seat": name, "state": "held", "name": "", "account": None, "forced": False}
        for match, seats in found
        for name, player in json.loads(seats).items()
        if player == "human"
    ]
    op.bulk_insert(seat, rows)


def _links() -> None:
    op.create_table(
        "link",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(32), nullable=False, unique=True),
        sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seat", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.String(16)),
    )
    op.create_index("link_match", "link", ["match"])
    op.execute(
        """
        INSERT INTO link (hash, id, "match", seat, kind, created)
        SELECT t.hash, substr(t.hash, 1, 24), t."match", t.seat, CASE WHEN t.watches THEN 'watch' ELSE 'seat' END,
            m.created
        FROM token AS t JOIN "match" AS m ON m.id = t."match"
        """
    )
    op.drop_table("token")


def _talk() -> None:
    op.create_table(
        "chat",
        sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("channel", sa.String(16), nullable=False),
        sa.Column("seat", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "note",
        sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("seat", sa.String(32), primary_key=True),
        sa.Column("hex", sa.String(16), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )


def _notices() -> None:
    op.create_table(
        "notice",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seat", sa.String(32), nullable=False),
        sa.Column("account", sa.String(32), sa.ForeignKey("account.id")),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("code", sa.String(64)),
        sa.Column("guesses", sa.Integer, nullable=False),
        sa.Column("due", sa.BigInteger),
        sa.Column("tries", sa.Integer, nullable=False),
    )
    op.create_index("notice_seat", "notice", ["match", "seat"])
    op.create_index("notice_due", "notice", ["due"])
    op.create_table(
        "keeping",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Back to tokens; accounts, talk and notices are lost."""
    op.create_table(
        "token",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seat", sa.String(32), nullable=False),
        sa.Column("watches", sa.Boolean, nullable=False),
    )
    op.create_index("token_match", "token", ["match"])
    op.execute(
        """
        INSERT INTO token (hash, "match", seat, watches) SELECT hash, "match", seat, kind = 'watch' FROM link
        WHERE kind IN ('seat', 'watch') AND ended IS NULL
        """
    )
    for name in ("keeping", "notice", "note", "chat", "link", "seat", "session", "account"):
        op.drop_table(name)
    for table, column in (("entry", "at"), ("match", "ended"), ("match", "clock")):
        op.execute(f'ALTER TABLE "{table}" DROP COLUMN "{column}"')
