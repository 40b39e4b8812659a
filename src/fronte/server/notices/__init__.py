"""Notices that it is one's turn: by mail, web push or webhook."""
