"""Independent linear algebra, one job a core: small matrices do not profit from several."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Generic, TypeVar

import torch
from threadpoolctl import threadpool_limits

T = TypeVar("T")

# Entries of a matrix that one core factorizes as fast as two.
SMALL = 2**22


@dataclass(frozen=True)
class Job(Generic[T]):
    """Something to compute, and the number of entries that it reads."""

    run: Callable[[], T]
    size: int


def independent(jobs: Sequence[Job[T]], room: int) -> list[T]:
    """The results of the jobs, in order; `room` is the number of entries that fit several times.

    Factorizations of small matrices are slower with two threads each, which wait for one another
    at every step: these get one thread, and as many jobs run at once as read half of `room`
    together. The numbers of threads are those of the whole process while this runs, and are put
    back. The first exception of a job is raised.

    >>> independent([Job(lambda: 1, 10), Job(lambda: 2, 10), Job(lambda: 3, 10)], room=40)
    [1, 2, 3]
    """
    threads = torch.get_num_threads()
    largest = max(job.size for job in jobs)
    workers = max(1, min(threads, len(jobs), room // (2 * largest)))
    each = 1 if largest <= SMALL else max(1, threads // workers)
    torch.set_num_threads(each)  # threads that start later take this value over
    try:
        with threadpool_limits(each, "blas"):
            if workers == 1:
                return [job.run() for job in jobs]
            with ThreadPoolExecutor(workers) as pool:
                return list(pool.map(lambda job: job.run(), jobs))
    finally:
        torch.set_num_threads(threads)
