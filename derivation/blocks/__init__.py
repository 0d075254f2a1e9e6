"""Feed-forward layers, normalizations and whole blocks at first order (1.4, 1.5, A4)."""
