"""A small game of a family of its own, for tests: nothing above the games may need to know it.

Two seats with two forces each; formations activated in turn; facing, columns and quarter points; a reaction window
before and after each hex; enemies that are anonymous until somebody stands next to them; secret plans; pieces made in
play; two scenarios of different extent that are won in different ways. Nothing is held and nobody is supplied.
"""
