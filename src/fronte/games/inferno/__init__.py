"""The chapters that both Inferno games share (Inferno sull'Isonzo, Inferno sugli Altipiani)."""
