"""Studies of Caporetto 1917: points and places beside history, prisoners and dead, fire, formations, bridges."""
