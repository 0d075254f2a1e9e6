"""The Coq kernel: printed statements, the compiled development, allowed axioms, user goals."""

from majorant.proofs.kernel.batch import check_all as check_all
from majorant.proofs.kernel.check import check_printed as check_printed
from majorant.proofs.kernel.goals import kernel_prove as kernel_prove
from majorant.proofs.kernel.result import KernelResult as KernelResult
from majorant.proofs.kernel.statement import KernelStatement as KernelStatement
