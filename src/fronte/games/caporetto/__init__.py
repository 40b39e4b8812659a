"""Caporetto 1917: one module for each chapter of the book, and what they stand on.

`terrain` reads the board (2.1); `zoc` is the zones of chapter 3, `supply` chapter 9.
"""
