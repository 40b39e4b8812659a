"""Rooms for the probe game, as a family outside the program brings them: `register(..., rooms="probe_rooms")`."""
