"""A stand-in for watchwordd: enough of the protocol to try the shell client without a build.

daemon.py SOCKET. It fetches nothing: pages.py answers. Basic and Bearer only, one uid, sessions without configuration.
"""

import asyncio
import base64
import itertools
import json
import os
import re
import sys
from urllib.parse import urljoin, urlsplit

from pages import CUT, page

sessions, challenges, ids = {}, {}, itertools.count(1)


class Failure(Exception):
    def __init__(self, code, kind, message, retry="never", **data):
        super().__init__(message)
        self.value = {"code": code, "message": message, "data": {"kind": kind, "retry": retry, **data}}


class Peer:
    """One connection."""

    def __init__(self, reader, writer):
        self.reader, self.writer, self.takes, self.work = reader, writer, {}, set()

    async def run(self):
        try:
            while line := await self.reader.readline():
                self.work.add(asyncio.ensure_future(self.answer(json.loads(line))))
        except ConnectionError:
            pass  # the client has gone
        await asyncio.gather(*self.work, return_exceptions=True)
        self.writer.close()

    def send(self, **message):
        self.writer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def answer(self, request):
        try:
            method = getattr(self, request["method"].replace("/", "_"), None)
            if method is None:
                raise Failure(-32601, "methodNotFound", "no such method")
            self.send(id=request["id"], result=await method(**request.get("params", {})))
        except Failure as failure:
            self.send(id=request["id"], error=failure.value)

    async def ping(self):
        return {}

    async def session_open(self, name, delegate=None):
        created = name not in sessions
        sessions.setdefault(name, {})
        if delegate is not None:
            self.takes[name] = delegate.get("tasks", [])
        return {"session": name, "created": created}

    async def session_list(self):
        counts = {"holders": 1, "tasks": 0, "trust": 0, "identities": 0, "connections": 0}
        return {"sessions": [{"session": name, "uid": os.getuid(), "named": True, **counts, "credentials": len(kept),
                              "pendingChallenges": len(pending(name))} for name, kept in sessions.items()]}

    async def fetch(self, session, url, method="GET", headers=(), body=None, output="auto", timeouts=None,
                    followRedirects=True, decodeContent=True):
        parts = urlsplit(url)
        if parts.scheme != "http":
            raise Failure(-32602, "invalidParams", "the URL is neither http nor https", path="params.url")
        if parts.port == 1:
            raise Failure(1302, "connectionFailed", "connection refused", "later", hop="origin")
        fields = {name.lower(): value for name, value in headers}
        data = body or {}
        content = data.get("text", "").encode() + base64.b64decode(data.get("base64", ""))
        kept, refusals = sessions.setdefault(session, {}), 0
        while True:
            match = next((kept[space] for space in kept if space[0] == parts.netloc and parts.path.startswith(space[2])), None)
            authorization = fields.get("authorization") or (match and match["field"])
            status, received, found = page(method, parts.path, authorization, fields.get("content-type"), content)
            if status == 302 and followRedirects:
                url = urljoin(url, dict(received)["Location"])
                parts = urlsplit(url)
                continue
            if status != 401 or "authorization" in fields:
                break
            refusals += match is not None
            if not await self.ask(session, url, parts, received, refusals, kept):
                break
        self.send(method="task/didReceiveResponse", params={"task": "t", "session": session, "url": url, "status": status, "headers": received})
        if method == "HEAD":
            found = b""
        for offset in range(0, len(found), 65536):
            piece = base64.b64encode(found[offset : offset + 65536]).decode()
            self.send(method="task/didReceiveData", params={"task": "t", "session": session, "offset": offset, "base64": piece})
            await self.writer.drain()
        if parts.path == CUT:
            raise Failure(1303, "connectionLost", "the connection was lost", "same", hop="origin", processed="unknown")
        return {"task": "t", "session": session, "url": url, "status": status, "headers": received, "body": {"size": len(found)}, "redirects": [], "metrics": {}}

    async def ask(self, session, url, parts, received, refusals, kept):
        """Raises the challenge; False when the 401 is to be delivered."""
        scheme, realm = re.match(r'(\w+) realm="((?:\\.|[^"])*)"', dict(received)["WWW-Authenticate"]).groups()
        space = {"protocol": "http", "host": parts.hostname, "port": parts.port, "realm": re.sub(r"\\(.)", r"\1", realm),
                 "authenticationMethod": scheme.lower(), "isProxy": False, "receivesCredentialSecurely": False}
        key = (parts.netloc, space["realm"], parts.path.rsplit("/", 1)[0])
        refused = kept.pop(key, None)
        if not {space["authenticationMethod"], "*"} & set(self.takes.get(session, ())):
            return False
        challenge = {"challenge": f"c{next(ids)}-{os.urandom(4).hex()}", "session": session, "task": "t", "url": url,
                     "origin": f"http://{parts.netloc}", "protectionSpace": space, "previousFailureCount": refusals,
                     "proposedCredential": refused and {"user": refused["user"], "source": "session"},
                     "waiters": [{"task": "t"}], "deadline": "2030-01-01T00:00:00Z"}
        future = asyncio.get_running_loop().create_future()
        challenges[challenge["challenge"]] = (challenge, future)
        self.send(method="task/didReceiveChallenge", params=challenge)
        disposition, credential = await future
        if disposition == "cancelAuthenticationChallenge":
            raise Failure(1203, "userCancelledAuthentication", "the challenge was cancelled", "newCredential")
        if disposition != "useCredential" or credential is None:
            return False
        field = "Bearer " + credential["token"] if "token" in credential else "Basic " + base64.b64encode(
            f"{credential['user']}:{credential['password']}".encode()).decode()
        if refused and refused["field"] == field:
            return False
        kept[key] = {"field": field, "user": credential.get("user"), "space": space}
        return True

    async def challenge_reply(self, challenge, disposition, credential=None):
        if challenge not in challenges:
            raise Failure(1200, "challengeNotPending", "no such challenge")
        space = challenges[challenge][0]["protectionSpace"]
        if disposition == "useCredential" and ":" in credential.get("user", ""):
            raise Failure(1202, "credentialUnusable", "a Basic user name has no colon", "newCredential")
        if disposition == "useCredential" and ("token" in credential) != (space["authenticationMethod"] == "bearer"):
            raise Failure(1202, "credentialUnusable", "wrong type", "newCredential")
        challenges.pop(challenge)[1].set_result((disposition, credential))
        return {"accepted": True}

    async def challenge_list(self, session="default"):
        return {"challenges": pending(session)}

    async def credential_list(self, session="default"):
        return {"credentials": [{"protectionSpace": kept["space"], "user": kept["user"], "kind": "password", "persistence": "forSession",
                                 "isDefault": True, "source": "session", "limits": None, "uses": 1} for kept in sessions.get(session, {}).values()]}

    async def session_reset(self, session="default"):
        sessions[session] = {}
        return {"session": session}

    async def explain(self, url, session="default"):
        parts = urlsplit(url)
        kept = next((k for k in sessions.get(session, {}).values() if k["space"]["port"] == parts.port), None)
        return {"url": url, "origin": f"http://{parts.netloc}", "credential": kept and {"user": kept["user"], "authenticationMethod": "basic",
                "realm": kept["space"]["realm"], "source": "session"}, "preemptive": kept is not None, "methods": ["digest", "basic"],
                "redirects": {"policy": "follow", "limit": 20}, "pendingChallenges": []}

    async def status(self):
        return {"version": "fake", "pid": os.getpid(), "uptimeSeconds": 1.5, "socket": sys.argv[1], "residentBytes": 1048576,
                "sessions": [{**one, "holders": [], "credentials": (await self.credential_list(one["session"]))["credentials"]}
                             for one in (await self.session_list())["sessions"]], "challenges": [], "counters": {"exchanges": 1}, "limits": {}}


def pending(session):
    return [challenge for challenge, _ in challenges.values() if challenge["session"] == session]


async def main():
    os.umask(0o177)
    server = await asyncio.start_unix_server(lambda r, w: Peer(r, w).run(), sys.argv[1], limit=1 << 22)
    print("listening on", sys.argv[1], flush=True)
    async with server:
        await server.serve_forever()


asyncio.run(main())
