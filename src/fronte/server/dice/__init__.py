"""Dice that both sides can trust (docs/dice.md): what each puts in, and beginning again when a word was lost."""
