"""Claims, their text form, and three-valued verdicts."""

from majorant.proofs.claims.claim import Claim
from majorant.proofs.claims.conditions import Condition
from majorant.proofs.claims.hypothesis import Hypothesis
from majorant.proofs.claims.parser import (
    parse_claim,
    parse_claims,
    parse_expression,
    parse_hypotheses,
)
from majorant.proofs.claims.syntax import ClaimSyntaxError
from majorant.proofs.claims.toml_claims import read_claims
from majorant.proofs.claims.verdict import Verdict, Witness

__all__ = [
    "Claim",
    "ClaimSyntaxError",
    "Condition",
    "Hypothesis",
    "Verdict",
    "Witness",
    "parse_claim",
    "parse_claims",
    "parse_expression",
    "parse_hypotheses",
    "read_claims",
]
