"""Puzzles: positions out of machine games in which something can be had by whoever finds it, judged by exact odds.

`goals` says what may be asked, `chance` reckons how likely a goal is by counting every throw, `making` finds puzzles in
machine games, `collection` keeps them, and `judging` says what somebody's decisions were worth.
"""
