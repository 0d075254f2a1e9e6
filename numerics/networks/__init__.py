"""From checkpoints to network descriptions and their norms."""
