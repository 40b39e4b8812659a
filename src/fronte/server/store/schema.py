"""The tables of the database. The migrations make them; a test compares the two."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()

match_table = sa.Table(
    "match",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(200), nullable=False),
    sa.Column("heading", sa.Text, nullable=False),
    sa.Column("seed", sa.String(64), nullable=False),  # empty until all words are there
    sa.Column("seed_known", sa.Boolean, nullable=False),
    sa.Column("seats", sa.Text, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),
    sa.Column("line", sa.Integer, nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("result", sa.Text),
    sa.Column("clock", sa.Text),
    sa.Column("ended", sa.Text),
    sa.Column("secret", sa.String(64)),
    sa.Column("card", sa.Text),  # what a list shows of it, for everybody's eyes
    sa.Column("archived", sa.Boolean, nullable=False, server_default=sa.false()),  # at a table of one machine
    sa.Column("practice", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("match_changed", "changed"),
)
entry_table = sa.Table(
    "entry",
    metadata,
    sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False, server_default="0"),
)
account_table = sa.Table(
    "account",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("key", sa.String(80), nullable=False, unique=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("password", sa.String(200), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
)
session_table = sa.Table(
    "session",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("account", sa.String(32), sa.ForeignKey("account.id"), nullable=False),
    sa.Column("expires", sa.BigInteger, nullable=False),
    sa.Index("session_account", "account"),
)
seat_table = sa.Table(
    "seat",
    metadata,
    sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("seat", sa.String(32), primary_key=True),
    sa.Column("state", sa.String(8), nullable=False),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("account", sa.String(32), sa.ForeignKey("account.id")),
    sa.Column("forced", sa.Boolean, nullable=False),
    sa.Column("spectators", sa.Text),
    sa.Column("seal", sa.String(64)),
    sa.Column("word", sa.Text),
    sa.Column("anew", sa.String(8)),
    sa.Column("draw", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("archived", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Index("seat_account", "account"),
    sa.Index("seat_state", "state"),
    sa.Column("hints", sa.Text, nullable=False, server_default=""),
)
link_table = sa.Table(
    "link",
    metadata,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(32), nullable=False, unique=True),
    sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), nullable=False),
    sa.Column("seat", sa.String(32), nullable=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("ended", sa.String(16)),
    sa.Column("parent", sa.String(32)),  # the link from which it was made
    sa.Column("account", sa.String(32)),  # whose it is, where that is known
    sa.Index("link_match", "match"),
)
chat_table = sa.Table(
    "chat",
    metadata,
    sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("channel", sa.String(16), nullable=False),
    sa.Column("seat", sa.String(32), nullable=False),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)
note_table = sa.Table(
    "note",
    metadata,
    sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("seat", sa.String(32), primary_key=True),
    sa.Column("hex", sa.String(16), primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)
reason_table = sa.Table(
    "reason",
    metadata,
    sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seats", sa.String(200), nullable=False),
    sa.Column("why", sa.Text, nullable=False),
)
notice_table = sa.Table(
    "notice",
    metadata,
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
    sa.Index("notice_seat", "match", "seat"),
    sa.Index("notice_due", "due"),
)
upload_table = sa.Table(
    "upload",
    metadata,
    sa.Column("match", sa.String(32), sa.ForeignKey("match.id"), primary_key=True),
    sa.Column("source", sa.String(64), nullable=False),
    sa.Column("anonymous", sa.Boolean, nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Index("upload_source", "source"),
)
keeping_table = sa.Table(
    "keeping",
    metadata,
    sa.Column("name", sa.String(32), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
