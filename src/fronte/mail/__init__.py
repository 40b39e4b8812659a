"""A match by file, without a server: each side has its own half, and neither can see or change the other's.

`keys` signs and binds, `letter` is what is sent, `table` is one side's half of the match, `desk` the private file of a
side, `referee` checks everything once both sides have opened their secrets. docs/by-file.md says what is guaranteed.
"""
