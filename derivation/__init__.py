"""What is claimed: symbols, lemmas, theorems and closed forms. SymPy only."""
