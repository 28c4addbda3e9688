"""What a credential is on the wire."""

from __future__ import annotations

import pytest

import watchword


@pytest.mark.parametrize(
    ("password", "members"),
    [
        ("caf\xe9", {"password": "caf\xe9"}),
        ("caf\xe9".encode(), {"password": "caf\xe9"}),
        (b"caf\xe9", {"passwordBytes": "Y2Fm6Q=="}),
        (b"", {"password": ""}),
    ],
)
def test_octets_that_are_no_text_are_sent_as_they_are(password: str | bytes, members: dict[str, str]) -> None:
    credential = watchword.Credential(user="reader", password=password)
    assert credential.to_wire() == {"user": "reader", "persistence": "forSession", **members}
    assert "caf" not in repr(credential)


def test_a_user_in_octets_is_a_text() -> None:
    assert watchword.Credential(user="caf\xe9".encode(), password="x").user == "caf\xe9"
    with pytest.raises(watchword.InvalidArgument, match="UTF-8"):
        watchword.use_credential(b"caf\xe9", "x")


def test_a_key_has_a_field_in_place_of_a_realm() -> None:
    space = watchword.ProtectionSpace.for_key("https://api.example/v1/", "X-Api-Key")
    named = space.to_wire()
    assert (named["authenticationMethod"], named["field"], named["port"]) == ("key", "x-api-key", 443)
    assert "realm" not in named
    assert str(space) == "https://api.example:443 key x-api-key"
    key = watchword.Credential.key("secret-of-key", prefix="Token ")
    assert key.to_wire() == {"token": "secret-of-key", "persistence": "forSession", "prefix": "Token "}
    assert "secret-of-key" not in repr(key)
    for url in ("ftp://api.example/", "https:///x", "https://api.example:99999/"):
        with pytest.raises(watchword.InvalidArgument, match="http or https"):
            watchword.ProtectionSpace.for_key(url, "X-Api-Key")
    with pytest.raises(watchword.InvalidArgument, match="prefix"):
        watchword.Credential(user="reader", password="x", prefix="Token ")


def test_what_goes_with_the_first_request_says_so() -> None:
    credential = watchword.Credential(user="reader", password="x", preemptive=True)
    assert credential.to_wire()["preemptive"] is True
    assert watchword.SourceCredential("pages", preemptive=True).to_wire()["preemptive"] is True
    for answer in (
        watchword.use_credential("reader", "x", preemptive=True),
        watchword.use_token("x", preemptive=True),
    ):
        assert answer.credential is not None
        assert answer.credential.to_wire()["preemptive"] is True
