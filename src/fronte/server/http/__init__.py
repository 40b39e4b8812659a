"""Endpoints and the websocket: the only part of the server that knows of requests."""
