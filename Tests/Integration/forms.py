"""Rules of `forms`, and pages that fit them (methods.md 16)."""

from __future__ import annotations

from Integration.wire import Json, Peer

FIELDS = {"user": "user", "password": "password"}
HTML = [("Content-Type", "text/html; charset=utf-8")]
FORM = (
    b'<form method=post action="%s"><input name=user><input name=password>'
    b"<input type=hidden name=t value=1></form>"
)


def rule(url: str, **members: Json) -> Json:
    return {"page": url, "fields": FIELDS, "success": {}, **members}


def opened(peer: Peer, *rules: Json, delegate: Json = "*", **configuration: Json) -> str:
    tasks = [delegate] if delegate else []
    return peer.open(tasks=tasks, configuration={"forms": list(rules), **configuration})
