"""Certificates: plain JSON proposals with everything that the checker needs (theory 3.2)."""

from majorant.numerics.certificates.issue import issue as issue
from majorant.numerics.certificates.problem import Empirical as Empirical
from majorant.numerics.certificates.problem import Problem as Problem
