"""Why it is true: claims, provers, the Coq development, the ledger, the checker."""
