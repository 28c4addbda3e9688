"""What a Kerberos credential says on the wire."""

from __future__ import annotations

import base64

import pytest

import watchword


def test_names_go_as_they_are() -> None:
    wire = watchword.KerberosCredential(cache="default").to_wire()
    assert wire == {"kerberos": {"cache": "default"}, "persistence": "forSession"}
    wire = watchword.KerberosCredential(keytab="nightly", persistence="none").to_wire()
    assert wire == {"kerberos": {"keytab": "nightly"}, "persistence": "none"}


def test_contents_go_in_base64_and_are_not_shown() -> None:
    credential = watchword.KerberosCredential(keytab=b"sentinel", principal="robot")
    text = base64.b64encode(b"sentinel").decode()
    assert credential.to_wire()["kerberos"] == {"keytab": {"base64": text}, "principal": "robot"}
    assert "sentinel" not in repr(credential)
    assert text not in str(credential)


@pytest.mark.parametrize(
    "members",
    [{}, {"cache": "default", "keytab": "nightly"}, {"keytab": b"bytes"}, {"keytab": "name", "principal": "p"}],
)
def test_other_combinations_are_refused(members: dict[str, str | bytes]) -> None:
    with pytest.raises(watchword.InvalidArgument):
        watchword.KerberosCredential(**members)  # type: ignore[arg-type]
