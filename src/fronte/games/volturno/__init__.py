"""Volturno 1860: one module for each chapter of the book, in its order, and what they stand on.

`printed` and `terrain` read the pack; `state`, `position`, `fog` and `cases` hold, write, show and set up a match;
`game` is what the engine sees.
"""
