"""Forms with files: multipart/form-data (RFC 7578), written to a file without a name so that they can be sent again."""

from __future__ import annotations

import io
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from typing import BinaryIO, Union

from ._errors import InvalidArgument

__all__ = ["FileOfForm", "FormFile", "Part", "spooled"]

#: The content of a part: text, bytes, a path, a binary file or a FormFile.
Part = Union[str, bytes, "os.PathLike[str]", BinaryIO, "FormFile"]
#: What ``requests`` takes for a file: itself, or a tuple of its name, itself and its type.
FileOfForm = Union[
    str, bytes, "os.PathLike[str]", BinaryIO, "tuple[str, str | bytes | BinaryIO]",
    "tuple[str, str | bytes | BinaryIO, str]",
]  # fmt: skip


@dataclass(frozen=True)
class FormFile:
    """A file of a form with a name and a type of its own."""

    content: bytes | os.PathLike[str] | BinaryIO
    filename: str | None = None
    type: str = "application/octet-stream"


def spooled(parts: Iterable[tuple[str, Part]]) -> tuple[int, str]:
    """A descriptor of the whole body, at its beginning, and its Content-Type. Memory does not grow with the files."""
    boundary = f"watchword-{secrets.token_hex(16)}"
    with tempfile.TemporaryFile(buffering=0) as file:
        for name, part in parts:
            _write(file, boundary, name, part)
        file.write(f"--{boundary}--\r\n".encode())
        descriptor = os.dup(file.fileno())
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor, f"multipart/form-data; boundary={boundary}"


def _write(file: io.FileIO, boundary: str, name: str, part: Part) -> None:
    if not isinstance(name, str) or not name:
        raise InvalidArgument("a part of a form has a name")
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{_escaped(name)}"'
    if isinstance(part, str):
        content: object = part.encode("utf-8", "surrogateescape")
    elif isinstance(part, bytes):
        content = part
    else:
        form_file = part if isinstance(part, FormFile) else FormFile(part)
        content = form_file.content
        if any(ord(character) < 0x20 or character == "\x7f" for character in form_file.type):
            raise InvalidArgument("the type of a file in a form has a control character")
        filename = form_file.filename or _name_of(content)
        head += f'; filename="{_escaped(filename)}"\r\nContent-Type: {form_file.type}'
    file.write(f"{head}\r\n\r\n".encode("utf-8", "surrogateescape"))
    if isinstance(content, bytes):
        _write_all(file, content)
    elif isinstance(content, os.PathLike):
        with open(content, "rb") as source:
            shutil.copyfileobj(source, file, 1 << 18)
    elif isinstance(content, io.TextIOBase) or not hasattr(content, "read"):
        raise InvalidArgument("a part of a form is text, bytes, a path, a binary file or a FormFile")
    else:
        shutil.copyfileobj(content, file, 1 << 18)
    file.write(b"\r\n")


def _write_all(file: io.FileIO, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _name_of(content: object) -> str:
    name = os.fspath(content) if isinstance(content, os.PathLike) else getattr(content, "name", None)
    return os.path.basename(name) if isinstance(name, str) and name else "file"


def _escaped(name: str) -> str:
    """As browsers do: a quote or the end of a line in a name is percent-encoded."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
