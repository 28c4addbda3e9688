"""The requests and replies of protocol/examples for the shell client to send and to get.

transcripts.py list SHELL          one line per request: file, method, params, what ww_call has to exit with and print
transcripts.py serve SHELL SOCKET  a daemon that answers these requests as the transcripts say, to any client

A request that has the reply of one before it shows nothing new and is left out. bash and dash share the others: each
plays the first of every method and exit code, and half of the rest. Another shell plays all.
"""

import collections
import itertools
import json
import socketserver
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[4] / "protocol" / "examples"
WORDS = {
    "{{origin}}": "http://127.0.0.1:8001",
    "{{origin2}}": "http://127.0.0.1:8002",
    "{{tlsOrigin}}": "https://127.0.0.1:8003",
    "{{tlsOrigin2}}": "https://127.0.0.1:8004",
    "{{unique}}": "u",
}
VALUES = {"string": "text", "integer": 1, "number": 0.5, "boolean": True, "object": {}, "array": [], "null": None}
SHARING = ("bash", "dash")
CODES = {error["kind"]: error.get("exitStatus", 1) for error in json.loads((EXAMPLES.parent / "errors.json").read_text("utf-8"))}


def filled(value):
    """The value with something in place of every placeholder."""
    if isinstance(value, dict):
        if "$bind" in value:
            return "bound-" + value["$bind"]
        if "$any" in value:
            return VALUES[value["$any"]]
        return {name: filled(item) for name, item in value.items() if item != {"$absent": True}}
    if isinstance(value, list):
        return [filled(item) for item in value]
    if isinstance(value, str):
        if value in ("{{port}}", "{{port2}}"):
            return 8000 + len(value)
        for word, meaning in WORDS.items():
            value = value.replace(word, meaning)
        return value.replace("{{port}}", "8001").replace("{{port2}}", "8002")
    return value


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def calls(path):
    """(method, params, reply) of every request of a file that has parameters by name and a reply."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    replies = collections.defaultdict(collections.deque)
    for line in lines:
        message = line.get("server")
        if isinstance(message, dict) and "id" in message and "method" not in message:
            replies[line.get("connection"), json.dumps(message["id"])].append(filled(message))
    for line in lines:
        message = line.get("client")
        if isinstance(message, dict) and message.get("jsonrpc") == "2.0" and isinstance(message.get("method"), str) and "id" in message:
            waiting = replies[line.get("connection"), json.dumps(message["id"])]
            params = filled(message.get("params", {}))
            if waiting and isinstance(params, dict) and waiting[0].get("error", {}).get("code") != -32600:
                yield message["method"], params, waiting.popleft()


def distinct_calls():
    """(file, method, params, reply) of every request of all files that differs from those before it."""
    seen = set()
    for file in sorted(EXAMPLES.glob("*.jsonl")):
        for method, params, reply in calls(file):
            call = method, compact(params), compact({**reply, "id": None})
            if method and call not in seen:
                seen.add(call)
                yield file.name, method, params, reply


def calls_for(shell):
    """(file, method, params, reply, exit code) of the requests that a shell plays."""
    turns = itertools.cycle(SHARING)
    met = set()
    for name, method, params, reply in distinct_calls():
        code = CODES[reply["error"]["data"]["kind"]] if "error" in reply else 0
        if shell not in SHARING or (method, code) not in met or next(turns) == shell:
            yield name, method, params, reply, code
        met.add((method, code))


def show(shell):
    for name, method, params, reply, code in calls_for(shell):
        print(name, method, compact(params), code, compact(reply["result"]) if code == 0 else "-", sep="\t")


class Daemon(socketserver.StreamRequestHandler):
    table = collections.defaultdict(collections.deque)

    def handle(self):
        for line in self.rfile:
            request = json.loads(line)
            waiting = self.table[request["method"], compact(request["params"])]
            reply = dict(waiting[0]) if waiting else {"error": {"code": -32603, "data": {"kind": "internalError", "retry": "later"}}}
            waiting.rotate(-1)
            if "error" in reply:
                reply["error"] = {"message": "as the transcript says", **reply["error"]}
            self.wfile.write(compact({**reply, "jsonrpc": "2.0", "id": request["id"]}).encode() + b"\n")


def serve(shell, path):
    # The list is read in the same order, so that equal requests meet their replies in turn.
    for _, method, params, reply, _ in calls_for(shell):
        Daemon.table[method, compact(params)].append(reply)
    with socketserver.ThreadingUnixStreamServer(path, Daemon) as server:
        print("listening on", path, flush=True)
        server.serve_forever()


{"serve": serve, "list": show}[sys.argv[1]](*sys.argv[2:])
