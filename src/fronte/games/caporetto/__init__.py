"""Caporetto 1917: one module for each chapter of the book, and what they stand on.

`terrain` reads the board (2.1), `counters` and `roster` the counters (2.2), `tables` charts and numbers, `scenarios`
and `zones` who begins where and for what (24 to 27); `printed` is all of it. `zoc` is the zones of chapter 3, `supply`
chapter 9, `prices` and `movement` chapter 10, `stacking` chapter 11, `command` chapters 7 and 14, `reinforcements`
chapter 5, `engineers` chapter 19, `victory` chapter 23; `state` is one position. There is no game of them yet.
"""
