"""Runs hostile work in child processes, and finds the seed of each one that dies."""

from __future__ import annotations

import argparse
import mmap
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable

SLOWEST = 30  # seconds of the CPU that one child may take: more is a hang

Work = Callable[[int], str | None]


class Tally:
    """Counts something in child processes, for the parent to read."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._memory = mmap.mmap(-1, 8)

    @property
    def count(self) -> int:
        """Number of things counted so far."""
        return int.from_bytes(self._memory[:8], "little")

    def add(self) -> None:
        """Count one more; children run one after the other."""
        self._memory[:8] = (self.count + 1).to_bytes(8, "little")


def run_child(work: Work, first: int, n: int, most: int = SLOWEST) -> int:
    """Exit status of a process that does the work of some seeds; below 0 is a signal."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        signal.alarm(20 * most)  # one that waits for something hangs too
        status = 3
        try:
            problems = [problem for seed in range(first, first + n) if (problem := work(seed))]
            for problem in problems if n == 1 else []:
                print(problem, flush=True)
            status = 2 if problems else 0
        except BaseException:
            if n == 1:
                traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def spent() -> float:
    """Seconds of the CPU that children took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def hunt(name: str, work: Work, seconds: float, most: int | None, seed: int, batch: int) -> int:
    """Work through seeds for some time, or some seeds; the number of those with a finding."""
    found = 0
    n_seeds = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end if most is None else n_seeds < most:
        if run_child(work, seed, batch) != 0:
            for one in range(seed, seed + batch):
                status = run_child(work, one, 1)
                if status != 0:
                    found += 1
                    print(f"{name}: seed {one} ended with {status}", flush=True)
        seed += batch
        n_seeds += batch
    print(f"{name}: {n_seeds} tried, {found} findings, {spent():.0f} s of the CPU", flush=True)
    return found


def main(name: str, work: Work, batch: int, tally: Tally | None = None) -> int:
    """Run a fuzzer as a command."""
    parser = argparse.ArgumentParser(prog=f"python -m fuzz.{name}")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, help="how many seeds; default: what --seconds allow")
    parser.add_argument("--seed", type=int, default=None, help="first seed; default: the time")
    parser.add_argument("--only", type=int, help="do the work of one seed, in this process")
    options = parser.parse_args()
    if options.only is not None:
        print(work(options.only) or "nothing found")
        return 0
    seed = options.seed if options.seed is not None else int(time.time()) % 10**6 * 10**6
    print(f"{name}: seeds from {seed}", flush=True)
    n_found = hunt(name, work, options.seconds, options.seeds, seed, batch)
    if tally is not None:
        print(f"{name}: {tally.count} {tally.what}", flush=True)
    return int(n_found > 0)
