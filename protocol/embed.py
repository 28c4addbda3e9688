#!/usr/bin/env python3
"""Writes openrpc.json into the Swift source that `rpc.discover` answers with; `--check` only compares."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parent / "Sources/WatchwordProtocol/Discovery/OpenRPCDocument.swift"
WIDTH = 100  # within the line length of .swift-format

HEAD = '''/// The OpenRPC document as `rpc.discover` answers it.
///
/// Written by `protocol/embed.py` from `protocol/openrpc.json`: change that and run it.
package enum OpenRPCDocument {
  package static let text: StaticString = #"""
'''
TAIL = '''    """#
}
'''


def source():
    document = json.loads((HERE / "openrpc.json").read_text("utf-8"))
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"))
    # A line may not end in white space, and `\\#` ends one without a break.
    lines = []
    while text:
        end = min(WIDTH, len(text))
        while end < len(text) and (text[end - 1] == " " or text[end] == " "):
            end -= 1
        lines.append(text[:end])
        text = text[end:]
    return HEAD + "".join(f"    {line}\\#\n" for line in lines[:-1]) + f"    {lines[-1]}\n" + TAIL


if sys.argv[1:] == ["--check"]:
    if SOURCE.read_text("utf-8") != source():
        sys.exit("openrpc.json and OpenRPCDocument.swift differ: run protocol/embed.py")
else:
    SOURCE.write_text(source(), "utf-8")
