"""Certificates for a network of BERT-base size: search and check, threads fixed and stated.

Prints seconds for every bound on made-up spectra of 12 blocks, 12 heads, width 768: the search
(`prepare` and the proposal), the check in balls, their sum on the clock and in CPU time, and the
size of the file. Target: every certificate, searched and checked, in under 5 s of CPU time (of the
clock, where nothing else runs) with one thread, on a machine of 2 cores. Exits 1 where missed.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
import torch

from majorant.derivation.network import parameters, post_norm_encoder
from majorant.numerics.certificates import Empirical, Problem
from majorant.numerics.certificates.issue import BOUNDS, certificate_of, prepare
from majorant.numerics.optimize import Parameter
from majorant.proofs.checker import check

TARGET_SECONDS = 5.0
THREADS = 1  # the tensors are small: more threads only wait for each other


def bert_base() -> Problem:
    """The real block: 288 products of rank 64, 24 feed-forward matrices, biases and gains."""
    network = post_norm_encoder(12, 12, 768, 3072, "gelu", outputs=2)
    rng = np.random.default_rng(0)
    table = []
    for name, part in parameters(network).items():
        if part.kind != "matrix":
            table.append(Parameter(name, part.kind, (part.cols,), norm=float(rng.uniform(0.5, 3))))
            continue
        rank = min(part.rows, part.cols, 64 if "head" in name else 10**6)
        decay = np.exp(-2.5 * np.arange(rank) / rank) * rng.uniform(0.9, 1.1, rank)
        sigma = np.sort(decay)[::-1] * (2.0 if "head" in name else 8.0)
        table.append(Parameter(name, "matrix", (part.rows, part.cols),
                               sigma=tuple(float(x) for x in sigma)))
    return Problem(network, tuple(table), {"input": 28.0}, 10**6, "0.05", Empirical(1.0, 10**4),
                   seq_len=512)


def main() -> int:
    """Run every bound once and print a table."""
    torch.set_num_threads(THREADS)
    problem = bert_base()
    prepare(problem, "parameter-count")  # imports and compilation are not what is measured
    print(f"{len(problem.parameters)} parameters, {THREADS} threads")
    missed = False
    for bound in BOUNDS:
        clock, cpu = time.perf_counter(), time.process_time()
        certificate = certificate_of(prepare(problem, bound))
        searched = time.process_time() - cpu
        text = json.dumps(certificate)
        verdict = check(json.loads(text))
        wall, used = time.perf_counter() - clock, time.process_time() - cpu
        missed |= used > TARGET_SECONDS or verdict.status != "accepted"
        print(f"{bound:16s} search {searched:5.2f} + check {used - searched:5.2f} s of CPU, "
              f"{wall:5.2f} s on the clock   {len(text) / 1e6:.2f} MB   {verdict.status}")
    print(f"target: each in {TARGET_SECONDS} s of CPU: {'missed' if missed else 'met'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
