"""A daemon that says what a test tells it to: for what the real one does rarely, late or never."""

from __future__ import annotations

import array
import json
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

Message = dict[str, Any]
Answer = Callable[["Conversation", Message], Any]

METRICS: Message = {
    "nameLookupSeconds": 0.001,
    "connectSeconds": 0.002,
    "tlsSeconds": 0,
    "challengeWaitSeconds": 0,
    "firstByteSeconds": 0.003,
    "totalSeconds": 0.004,
    "bytesSent": 100,
    "bytesReceived": 200,
    "protocol": "http/1.1",
    "reused": False,
    "exchanges": [],
}


class RefusedError(Exception):
    """Answered as an error object."""

    def __init__(self, kind: str, code: int = 1000, message: str = "refused", **data: Any) -> None:
        super().__init__(kind)
        self.error = {"code": code, "message": message, "data": {"kind": kind, "retry": "never", **data}}


class Started:
    """The reply to `task/start`, and what happens once it has been said."""

    def __init__(self, go_on: Callable[[], None]) -> None:
        self.go_on = go_on


def nothing(conversation: Conversation, message: Message) -> Message:
    return {}


class Conversation:
    """One connection: what was asked, and the means to say something unasked."""

    def __init__(self, connection: socket.socket, answers: dict[str, Answer]) -> None:
        self.connection = connection
        self.answers = answers
        self.descriptors: list[int] = []
        self.buffer = b""

    def run(self, heard: list[Message]) -> None:
        try:
            self.serve(heard)
        except OSError:
            pass  # The command has left, as some tests want it to.
        finally:
            self.close_descriptors()

    def serve(self, heard: list[Message]) -> None:
        while (line := self.read_line()) is not None:
            message = json.loads(line)
            heard.append(message)
            if "id" not in message:
                continue
            try:
                answer = self.answers.get(message["method"], nothing)
                result = answer(self, message)
                started = result if isinstance(result, Started) else None
                result = {"task": "t1"} if started else result
                self.say({"jsonrpc": "2.0", "id": message["id"], "result": result})
                if started:
                    started.go_on()
            except RefusedError as refused:
                self.close_descriptors()
                self.say({"jsonrpc": "2.0", "id": message["id"], "error": refused.error})

    def read_line(self) -> bytes | None:
        while b"\n" not in self.buffer:
            try:
                data, control, _, _ = self.connection.recvmsg(1 << 16, socket.CMSG_SPACE(64))
            except OSError:
                return None
            for _, _, numbers in control:
                arrived = array.array("i")
                arrived.frombytes(numbers)
                self.descriptors += arrived
            if not data:
                return None
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line

    def close_descriptors(self) -> None:
        for number in self.descriptors:
            os.close(number)
        self.descriptors.clear()

    def say(self, message: Message) -> None:
        self.connection.sendall(json.dumps(message).encode() + b"\n")

    def notify(self, method: str, **parameters: Any) -> None:
        self.say({"jsonrpc": "2.0", "method": method, "params": parameters})

    def ask(self, refusal: RefusedError | None = None, **challenge: Any) -> Message:
        """Raises a challenge and returns the parameters of the reply to it."""
        self.notify("task/didReceiveChallenge", **a_challenge(**challenge))
        return self.hear_reply(refusal)

    def hear_reply(self, refusal: RefusedError | None = None) -> Message:
        """Accepts, or refuses, the reply to a challenge and returns its parameters."""
        while True:
            line = self.read_line()
            if line is None:
                raise ConnectionResetError("the command left without a reply")
            reply: Message = json.loads(line)
            if reply["method"] == "challenge/reply":
                break
            # Whoever is asked may look something up first.
            self.say(
                {"jsonrpc": "2.0", "id": reply["id"], "result": self.answers[reply["method"]](self, reply)}
            )
        outcome = {"error": refusal.error} if refusal else {"result": {"accepted": True}}
        self.say({"jsonrpc": "2.0", "id": reply["id"], **outcome})
        parameters: Message = reply["params"]
        return parameters

    def deliver(self, message: Message, body: bytes = b"", status: int = 200, **more: Any) -> Message:
        """Writes a body where the request wants it and returns the result of `fetch`."""
        parameters = message["params"]
        if message["method"] == "task/start":
            head = a_result(url=parameters["url"], status=status, **more)
            self.notify("task/didReceiveResponse", **head)
        output = parameters.get("output", "auto")
        if isinstance(output, dict):
            number = self.descriptors[output["descriptor"]]
            view = memoryview(body)
            while view:
                view = view[os.write(number, view) :]
        self.close_descriptors()
        return a_result(url=parameters["url"], status=status, body={"size": len(body)}, **more)


def a_result(**members: Any) -> Message:
    return {
        "task": "t1",
        "session": "default",
        "status": 200,
        "headers": [["Content-Type", "text/plain"]],
        "redirects": [],
        "metrics": METRICS,
        **members,
    }


def a_challenge(**members: Any) -> Message:
    space = {
        "protocol": "https",
        "host": "intranet.example",
        "port": 443,
        "realm": "staff",
        "authenticationMethod": "basic",
        "isProxy": False,
        "proxyType": None,
        "receivesCredentialSecurely": True,
        "parameters": {},
        "distinguishedNames": None,
        "serverTrust": None,
        **members.pop("space", {}),
    }
    return {
        "challenge": "c1-0",
        "session": "default",
        "task": "t1",
        "url": "https://intranet.example/q3.csv",
        "origin": "https://intranet.example:443",
        "protectionSpace": space,
        "offers": [],
        "proposedCredential": None,
        "previousFailureCount": 0,
        "failureResponse": None,
        "error": None,
        "waiters": [{"task": "t1", "pid": 4711, "uid": os.getuid(), "executable": "/usr/bin/python3"}],
        "deadline": "2026-11-21T12:05:00Z",
        **members,
    }


class FakeDaemon:
    """Listens at a path and answers by method; what it heard is in `heard`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.heard: list[Message] = []
        self.answers: dict[str, Answer] = {
            "session/open": lambda conversation, message: {
                "session": message["params"].get("name", "p1-secret"),
                "created": False,
            },
            "session/list": lambda conversation, message: {"sessions": []},
            "challenge/reply": lambda conversation, message: {"accepted": True},
        }
        self.fetch(
            lambda conversation, message: conversation.deliver(
                message, self.body, self.status, headers=self.headers
            )
        )
        self.body = b"hello\n"
        self.status = 200
        self.headers: list[list[str]] = [["Content-Type", "text/plain"]]
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        self.acceptor = threading.Thread(target=self.accept, daemon=True)
        self.acceptor.start()

    def accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            conversation = Conversation(connection, self.answers)
            threading.Thread(target=conversation.run, args=(self.heard,), daemon=True).start()

    def fetch(self, answer: Answer) -> None:
        """Answers `fetch` with the result of `answer`, and ends the tasks of `task/start` with it."""

        def finish(conversation: Conversation, message: Message) -> None:
            try:
                conversation.notify("task/didFinish", **answer(conversation, message))
            except RefusedError as refused:
                conversation.close_descriptors()
                conversation.notify("task/didFinish", task="t1", session="default", error=refused.error)
            except BrokenPipeError:
                conversation.close_descriptors()

        self.answers["fetch"] = answer
        self.answers["task/start"] = lambda conversation, message: Started(
            lambda: finish(conversation, message)
        )

    def parameters(self, method: str) -> Message:
        """Of the last request for the method."""
        found: Message = [message for message in self.heard if message["method"] == method][-1]["params"]
        return found

    def close(self) -> None:
        # Whoever still accepts would take the next daemon's connections, whose listener gets the same number.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.acceptor.join()
        self.listener.close()
        self.path.unlink()
