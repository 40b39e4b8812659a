"""Caporetto 1917: one module for each chapter of the book, and what they stand on.

`terrain` reads the board (2.1), `counters` and `roster` the counters (2.2), `tables` charts and numbers, `scenarios`
and `zones` who begins where and for what (24 to 27); `printed` is all of it. `zoc` is the zones of chapter 3, `supply`
chapter 9, `prices` the costs of chapter 10, `stacking` chapter 11; `state` is one position.
"""
