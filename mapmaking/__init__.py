"""From terrain data to boards: plain scripts, run by hand, never part of the installed program."""
