"""The command `curl`: one process for one fetch, or for all of a batch whose URLs are known beforehand."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from Benchmarks.callers import Batch, Caller, Sample, Target, require

WORKLOADS = {"W5", "W5h2", "W6p", "W6s", "W6u", "W7", "W7s", "W8"}


def _words(target: Target) -> list[str]:
    words = ["curl", "-q", "-sS", "-f", "--cacert", target.root, "--http2" if target.http2 else "--http1.1"]
    if target.authentication != "none":
        words += [f"--{target.authentication}", "-u", f"{target.user}:{target.password}"]
    if target.certificate:
        words += ["--cert", target.certificate, "--key", target.key]
    return words


@contextmanager
def command(target: Target) -> Iterator[Caller[list[str]]]:
    yield Caller([*_words(target), target.url], own=False)


@contextmanager
def batch(target: Target, window: int) -> Iterator[Caller[Batch]]:
    words = [*_words(target), "-K", "-", "-Z", "--parallel-max", str(window), "-w", "%{http_code}\n"]
    if not target.http2:
        words.append("--parallel-immediate")

    def run(count: int) -> Sample:
        urls = f'url="{target.url}"\noutput="/dev/null"\n' * count
        began = time.perf_counter()
        done = subprocess.run(words, input=urls, capture_output=True, text=True)
        seconds = time.perf_counter() - began
        require(done.stdout.split() == ["200"] * count, "a fetch failed")
        return Sample(seconds)

    yield Caller(run, own=False)


@contextmanager
def download(target: Target, descriptor: int) -> Iterator[Caller[Callable[[], None]]]:
    def fetch() -> None:
        subprocess.run([*_words(target), target.url], stdout=descriptor, check=True)

    yield Caller(fetch, own=False)


@contextmanager
def upload(target: Target, source: BinaryIO) -> Iterator[Caller[Callable[[], None]]]:
    def send() -> None:
        subprocess.run([*_words(target), "-T", source.name, target.url], check=True)

    yield Caller(send, own=False)
