"""Studies of the Inferno games: combats with their columns and ratios, steps lost, fronts and objectives."""
