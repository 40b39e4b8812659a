"""What games of every family share; nothing in here knows a family.

`printed` has rulebook, scenario, options and names; `boards` reads hexes, hexsides and counters; `game` is a ruleset
with printed matter; `places` keeps stacks and masks; `positions` writes and reads what every position has; `tiny` makes
the boards of the casebook; `windows` has interrupted moves and reactions; `activation` says who acts next.
"""
