"""Shared libraries that tests put before or behind the real ones, compiled when they are first asked for."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def built(name: str, options: Sequence[str] = ()) -> Path:
    """The library of `name.c` in this folder."""
    source = Path(__file__).with_name(f"{name}.c")
    library = PROJECT / ".build" / "tests" / f"{name}.so"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        library.parent.mkdir(parents=True, exist_ok=True)
        partial = library.with_suffix(f".{os.getpid()}")
        compiler = shutil.which("cc") or "clang"  # which every Swift toolchain brings
        command = [compiler, "-shared", "-fPIC", "-Wall", "-Wextra", "-o", str(partial), str(source)]
        subprocess.run([*command, *options], check=True)
        partial.rename(library)
    return library
