"""Theorems composed from lemmas, and the proxies that stand beside them."""
