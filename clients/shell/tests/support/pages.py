"""What the tests' origin says."""

import base64
import json

PASSWORD = "sentinel-Zk41"
BASIC = "Basic " + base64.b64encode(b"reader:" + PASSWORD.encode()).decode()
LATIN = "Basic " + base64.b64encode(b"reader:caf\xe9").decode()
BEARER = "Bearer sentinel-token"
JSON = [("Content-Type", "application/json")]
CODE = {
    "device_code": "sentinel-device",
    "user_code": "WDJB-MJHT",
    "verification_uri": "https://id.example/activate",
    "expires_in": 600,
    "interval": 1,
}
CUT = "/cut"  # the connection breaks behind its content, which is half of what was promised
visits: dict[str, int] = {}  # by name: how often a page of /busy/ was asked for
LARGE = bytes(range(256)) * 8192  # 2 MiB that are no text


def page(method, path, authorization, content_type, body):
    """(status, fields, body) for a request."""
    path = path.partition("?")[0]
    text = [("Content-Type", "text/plain")]
    if path == "/plain":
        return 200, text, b"plain\n"
    if path == "/empty":
        return 200, text, b""
    if path == "/echo":
        return 200, text, f"{method} {content_type} ".encode() + body
    if path.startswith("/folder/"):
        return 200, text, f"{method} {path} {content_type} ".encode() + body
    if path == "/large":
        return 200, [("Content-Type", "application/octet-stream")], LARGE
    if path == CUT:
        return 200, text, LARGE
    if path == "/moved":
        return 302, [*text, ("Location", "/plain")], b"over there\n"
    if path.startswith("/busy/"):
        # /busy/COUNT/NAME: so often there is no answer yet.
        _, _, count, name = path.split("/")
        visits[name] = visits.get(name, 0) + 1
        if visits[name] <= int(count):
            return 503, [*text, ("Retry-After", "0")], b"busy\n"
        return 200, text, f"after {visits[name]}\n".encode()
    if path == "/visit":
        cookies = [("Set-Cookie", "seen=1; Path=/; HttpOnly"), ("Set-Cookie", "until=2; Path=/v; Max-Age=86400")]
        return 200, [*text, *cookies], b"hello\n"
    if path == "/login":
        return 200, [("Content-Type", "text/html")], b"<form method=post><input name=user><input name=word></form>\n"
    if path == "/missing":
        return 404, text, b"no such page\n"
    if path.startswith("/staff/"):
        if authorization == BASIC:
            return 200, text, b"for staff\n"
        return 401, [("WWW-Authenticate", 'Basic realm="staff"')], b"who are you?\n"
    if path.startswith("/latin/"):
        if authorization == LATIN:
            return 200, text, b"for latin\n"
        return 401, [("WWW-Authenticate", 'Basic realm="latin"')], b"who are you?\n"
    if path.startswith("/both/"):
        if authorization == BASIC:
            return 200, text, b"for staff\n"
        offers = [("WWW-Authenticate", 'Bearer realm="api"'), ("WWW-Authenticate", 'Basic realm="staff"')]
        return 401, offers, b"who are you?\n"
    if path.startswith("/evil/"):
        return 401, [("WWW-Authenticate", 'Basic realm="a\u202eb\\"c\tx"')], b"who are you?\n"
    if path == "/device":
        return 200, JSON, json.dumps(CODE).encode()
    if path == "/token":
        return 200, JSON, json.dumps({"access_token": BEARER.split()[1], "token_type": "Bearer"}).encode()
    if path.startswith("/api/"):
        if authorization == BEARER:
            return 200, text, b"for holders of a token\n"
        return 401, [("WWW-Authenticate", 'Bearer realm="api"')], b"which token?\n"
    return 404, text, b"no such page\n"
