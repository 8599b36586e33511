"""Measure CPU time, wall time and peak memory of calls in this process."""

import ctypes
import gc
import resource
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

MEGABYTE = 1e6


@dataclass
class Times:
    """Seconds of CPU (this process, its threads and its finished children) and of wall clock."""

    cpu: list = field(default_factory=list)
    wall: list = field(default_factory=list)

    def measure(self, call: Callable):
        """Run a call, record its times and hand back its result."""
        cpu, wall = _cpu_seconds(), time.perf_counter()
        result = call()
        self.wall.append(time.perf_counter() - wall)
        self.cpu.append(_cpu_seconds() - cpu)
        return result


def _cpu_seconds():
    """CPU seconds of this process and of the children it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def interleave(*calls, seconds=2.0, most=30, least=1):
    """Time several calls in turn, until `seconds` have passed or each has run `most` times."""
    times = [Times() for _ in calls]
    start = time.perf_counter()
    for turn in range(most):
        if turn >= least and time.perf_counter() - start > seconds:
            break
        for one, call in zip(times, calls, strict=True):
            one.measure(call)
    return times


def ratios(seconds, base):
    """Best over best, and the median of the ratios of the turns."""
    turns = [one / other for one, other in zip(seconds, base, strict=True)]
    return min(seconds) / min(base), median(turns)


def measure_memory(call):
    """Run a call; its result, and the bytes it needed at its peak beyond what was held before.

    The child processes count too.
    """
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")  # the peak restarts from the present size
    before = _status("self", "VmRSS")
    with _ChildrenPeak() as children:
        result = call()
    return result, _status("self", "VmHWM") - before + children.peak


def _status(process, key):
    """Read the bytes of a line of a process's status, 0 if the process is gone."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(key)), 0)


def _descendants(process):
    """Yield the numbers of the children of a process, and of theirs."""
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = file.read_text().split()
        except OSError:
            continue
        for child in children:
            yield child
            yield from _descendants(child)


class _ChildrenPeak(threading.Thread):
    """Samples the memory of all child processes while it is open."""

    def __init__(self):
        super().__init__(daemon=True)
        self.peak = 0
        self._closed = threading.Event()

    def run(self):
        """Sample until closed."""
        while not self._closed.wait(0.02):
            held = sum(_status(child, "VmRSS") for child in _descendants("self"))
            self.peak = max(self.peak, held)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._closed.set()
        self.join()
