"""Published results that the one-trajectory guarantee leans on."""

from majorant.derivation.lemma import Source

PATHWISE = Source(
    "Limmer, Kratsios, Yang, Saqur, Horvath 2024",
    "pathwise guarantee for exponentially ergodic chains",
    arxiv="2405.16563",
)
OWN = Source("majorant", "docs/theory, chapter 6")
