"""The enumerations of the contract that Python's callers name."""

from __future__ import annotations

import re
import textwrap
from typing import Any

from .text import SOURCE, WIDTH

#: Those of the package's interface. Other words are plain strings there: a newer daemon may say more.
PYTHON = ("Disposition", "Persistence", "TrustScope")
#: What a person would not write as the wire says it.
PYTHON_NAMES = {"cancelAuthenticationChallenge": "CANCEL", "rejectProtectionSpace": "REJECT"}


def python(document: dict[str, Any]) -> str:
    """A class for each."""
    schemas = document["components"]["schemas"]
    return (
        f'"""Words of the protocol. Made from ``{SOURCE}`` by ``protocol/generate``."""\n\n'
        "from __future__ import annotations\n\n"
        "from enum import Enum\n\n"
        "__all__ = [\n"
        + "".join(f'    "{name}",\n' for name in PYTHON)
        + "]\n"
        + "".join(_python_class(name, schemas[name]) for name in PYTHON)
    )


def _python_class(name: str, schema: dict[str, Any]) -> str:
    lines = textwrap.wrap(schema["description"], WIDTH)
    if len(lines) > 1:
        lines.append("")
    return (
        f"\n\nclass {name}(str, Enum):\n"
        + textwrap.indent('"""' + "\n".join(lines) + '"""\n', "    ")
        + "\n"
        + "".join(f'    {_python_name(word)} = "{word}"\n' for word in schema["enum"])
    )


def _python_name(word: str) -> str:
    return PYTHON_NAMES.get(word) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).upper()
