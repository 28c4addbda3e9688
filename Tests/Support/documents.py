"""What the real servers serve: small texts, binary bodies, and one sparse file of 1 GiB."""

from __future__ import annotations

import hashlib
from pathlib import Path

BIG_SIZE = 1 << 30
SMALL = b"the watchword is known\n"


def binary(size: int) -> bytes:
    """Bytes that neither compress nor repeat, the same in every run."""
    blocks = (hashlib.sha256(index.to_bytes(8, "big")).digest() for index in range(size // 32 + 1))
    return b"".join(blocks)[:size]


def lay_out(root: Path, directories: tuple[str, ...]) -> None:
    """Writes the documents below `root`, the small ones again in each of `directories`."""
    root.mkdir(parents=True, exist_ok=True)
    for directory in (root, *(root / name for name in directories)):
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "small").write_bytes(SMALL)
        (directory / "64k").write_bytes(binary(1 << 16))
    (root / "1m").write_bytes(binary(1 << 20))
    with (root / "big").open("wb") as big:
        big.truncate(BIG_SIZE)
