"""Printers that lemmas and bounds share: LaTeX, text, standalone Python."""

from majorant.derivation.printing.latex import latex as latex
from majorant.derivation.printing.python_source import python_source as python_source
from majorant.derivation.printing.statement import Printable as Printable
from majorant.derivation.printing.text import text as text
