"""Certificates and decisions as the fake daemon tells them."""

from __future__ import annotations

from typing import Any

from Support.fake_daemon import Conversation, FakeDaemon, Message, RefusedError

KEY = "sha256/" + "A" * 42 + "E="

CERTIFICATE = {
    "subject": "CN=dev.example",
    "issuer": "CN=Nobody \x1b[2J",
    "serialNumber": "0a",
    "notBefore": "2026-01-01T00:00:00Z",
    "notAfter": "2027-01-01T00:00:00Z",
    "subjectAlternativeNames": [f"DNS:{number}.example" for number in range(20)],
    "keyType": "ec",
    "keyBits": 256,
    "sha256": "0123456789abcdef" * 4,
    "publicKey": KEY,
    "pem": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
}
REASONS = [{"reason": "unknownIssuer", "depth": 0}, {"reason": "expired", "depth": 1}]


def certificates_of(verdict: str = "refused", **more: Any) -> Message:
    """A question about certificates."""
    space = {
        "host": "dev.example",
        "port": 8443,
        "realm": None,
        "authenticationMethod": "serverTrust",
        "serverTrust": {
            "verdict": verdict,
            "reasons": REASONS if verdict == "refused" else [],
            "certificates": [CERTIFICATE],
        },
    }
    return {"space": space, "origin": "https://dev.example:8443", **more}


def asking(daemon: FakeDaemon, **challenge: Any) -> list[Message]:
    """Lets every fetch ask; returns where the replies will be."""
    replies: list[Message] = []

    def answer(conversation: Conversation, message: Message) -> Message:
        replies.append(conversation.ask(**challenge))
        if replies[-1]["disposition"] == "cancelAuthenticationChallenge":
            raise RefusedError("serverTrustRejected", 1204, "not trusted", reasons=REASONS)
        return conversation.deliver(message, b"hello\n")

    daemon.fetch(answer)
    return replies


def accepted(persistence: str | None, scope: str = "certificate", because: str | None = None) -> Message:
    credential = {"trust": scope, **({"persistence": persistence} if persistence else {})}
    reason = {"because": because} if because else {}
    return {"challenge": "c1-0", "disposition": "useCredential", "credential": credential, **reason}
