"""Generated parts of files that people write."""

from __future__ import annotations

from .faults import ContractFault


class SectionMissing(ContractFault):
    """The file has no place for the generated part."""


def replaced(text: str, begin: str, end: str, part: str) -> str:
    """The text with `part` between the first line `begin` and the next line that begins with `end`."""
    head, found, rest = text.partition(begin + "\n")
    if not found:
        raise SectionMissing(begin)
    _, found, tail = ("\n" + rest).partition("\n" + end)
    if not found:
        raise SectionMissing(end)
    return head + begin + "\n" + part + end + tail
