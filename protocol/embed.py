#!/usr/bin/env python3
"""Writes openrpc.json into the Swift source that `rpc.discover` answers with; `--check` only compares."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "Sources/WatchwordProtocol/Discovery/OpenRPCDocument.swift"
WIDTH = 100  # within the line length of .swift-format
LEVELS = 3  # a method, a schema, an error

HEAD = '''/// The OpenRPC document as `rpc.discover` answers it.
///
/// Written by `protocol/embed.py` from `protocol/openrpc.json`: change that and run it.
package enum OpenRPCDocument {
  package static let text: StaticString = #"""
'''
TAIL = '''    """#
}
'''


def parts(text):
    """The text cut behind every comma of its upper levels, so that a change moves no lines but its own."""
    depth, start, in_string, escaped = 0, 0, False, False
    for index, character in enumerate(text):
        if in_string:
            in_string = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            in_string = True
        elif character in "{[":
            depth += 1
        elif character in "}]":
            depth -= 1
        elif character == "," and depth <= LEVELS:
            yield text[start : index + 1]
            start = index + 1
    yield text[start:]


def wrapped(text):
    """Lines of at most WIDTH; none may end in white space, and `\\#` ends one without a break."""
    while text:
        end = min(WIDTH, len(text))
        while end < len(text) and (text[end - 1] == " " or text[end] == " "):
            end -= 1
        yield text[:end]
        text = text[end:]


def source():
    document = json.loads((HERE / "openrpc.json").read_text("utf-8"))
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"))
    lines = [line for part in parts(text) for line in wrapped(part)]
    return HEAD + "".join(f"    {line}\\#\n" for line in lines[:-1]) + f"    {lines[-1]}\n" + TAIL


if sys.argv[1:] == ["--check"]:
    if SOURCE.read_text("utf-8") != source():
        sys.exit("openrpc.json and OpenRPCDocument.swift differ: run protocol/embed.py")
else:
    SOURCE.write_text(source(), "utf-8")
