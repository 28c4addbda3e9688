"""A server that asks for a certificate when it has read the request: a real Apache."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.client_certificates.scene import add
from Integration.wire import Peer, RemoteError
from Support import loopback
from Support.apache_process import ApacheProcess
from Support.certificates import Authority
from Support.client_identities import ClientAuthority, ClientIdentity

CONFIGURATION = """
<VirtualHost 127.0.0.1:{port}>
  SSLEngine on
  SSLProtocol -all +{protocol}
  SSLCertificateFile {certificate}
  SSLCertificateKeyFile {key}
  SSLCACertificateFile {clients}
  <Location /inside>
    SSLVerifyClient require
    SSLVerifyDepth 5
  </Location>
</VirtualHost>
"""

Made = Callable[[str], str]


@pytest.fixture
def apache(run_directory: Path, authority: Authority, staff: ClientAuthority) -> Iterator[Made]:
    """The URL of one that speaks this version of TLS."""
    made: list[ApacheProcess] = []

    def start(protocol: str) -> str:
        identity = authority.issue()
        (port,) = loopback.free_ports(1)
        rest = CONFIGURATION.format(
            port=port,
            protocol=protocol,
            certificate=identity.certificate,
            key=identity.key,
            clients=staff.certificate,
        )
        made.append(
            ApacheProcess(
                run_directory / f"midway-{port}",
                rest,
                ports=[port],
                modules=["ssl"],
                folders=("inside",),
                log="%U|%>s",
            )
        )
        return f"https://127.0.0.1:{port}"

    yield start
    for one in made:
        one.stop()


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("has_identity", [False, True])
def test_a_second_handshake_for_a_certificate_is_named(
    peer: Peer,
    session: Callable[..., str],
    apache: Made,
    alice: ClientIdentity,
    method: str,
    has_identity: bool,
) -> None:
    """TLS 1.2: a request from the server to renegotiate."""
    url = apache("TLSv1.2")
    opened = session(peer)
    if has_identity:
        add(peer, opened, alice)
    assert peer.fetch(opened, url + "/small")["status"] == 200
    body = {"body": {"text": "x"}} if method == "POST" else {}
    with pytest.raises(RemoteError) as caught:
        peer.result(peer.start_fetch(opened, url + "/inside/small", method=method, **body))
    found = (caught.value.kind, caught.value.data.get("reason"))
    assert found == ("tlsFailed", "certificateRequiredLater"), caught.value
    # The identity is not refused.
    assert peer.fetch(opened, url + "/small")["status"] == 200


def test_without_post_handshake_authentication_the_server_answers(
    peer: Peer, session: Callable[..., str], apache: Made
) -> None:
    """TLS 1.3: the server sees in the first handshake that it cannot ask later."""
    url = apache("TLSv1.3")
    opened = session(peer)
    assert peer.fetch(opened, url + "/small")["status"] == 200
    assert peer.fetch(opened, url + "/inside/small")["status"] == 403
