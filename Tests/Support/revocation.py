"""What an authority says about its certificates: OCSP responses and revocation lists, by openssl."""

from __future__ import annotations

import subprocess
from datetime import datetime
from pathlib import Path

from Support.certificates import Authority, Identity

REVOKED, GOOD, UNKNOWN = "R", "V", ""

CONFIGURATION = """
[ca]
default_ca = d
[d]
database = {index}
default_md = sha256
unique_subject = no
"""


def _openssl(*arguments: str) -> str:
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True, text=True).stdout


def _index(path: Path, identities: dict[Identity, str]) -> Path:
    lines = []
    for identity, status in identities.items():
        if status == UNKNOWN:
            continue
        serial = _openssl("x509", "-in", str(identity.certificate), "-noout", "-serial").strip().split("=")[1]
        revoked = "250101000000Z" if status == REVOKED else ""
        lines.append(f"{status}\t400101000000Z\t{revoked}\t{serial}\tunknown\t/CN=x\n")
    path.write_text("".join(lines))
    path.with_suffix(".index.attr").write_text("unique_subject = no\n")
    return path


def ocsp_response(
    authority: Authority,
    identity: Identity,
    status: str = GOOD,
    signer: Identity | None = None,
    **options: str,
) -> Path:
    """DER of the answer about a certificate; `signer` is the authority unless another is named."""
    name = identity.certificate.with_suffix("")
    index = _index(name.with_suffix(".index"), {identity: status})
    response = name.with_suffix(f".{status or 'unknown'}.ocsp")
    signed_by = signer or Identity(authority.certificate, authority.key)
    times = options or {"ndays": "1"}
    _openssl(
        *("ocsp", "-index", str(index), "-CA", str(authority.certificate), "-noverify"),
        *("-rsigner", str(signed_by.certificate), "-rkey", str(signed_by.key)),
        *("-issuer", str(authority.certificate), "-cert", str(identity.certificate)),
        *("-respout", str(response)),
        *(part for key, value in times.items() for part in (f"-{key}", value)),
    )
    return response


def revocation_list(
    authority: Authority,
    directory: Path,
    *revoked: Identity,
    expired: bool = False,
    until: datetime | None = None,
    places: int = 0,
) -> str:
    """PEM of a list of the authority, which counts for a long time unless something else is said.

    `places` is the number of names of its issuingDistributionPoint (RFC 5280 §5.2.5).
    """
    index = _index(directory / "list.index", dict.fromkeys(revoked, REVOKED))
    configuration = directory / "list.cnf"
    names = ",".join(f"URI:http://a/{number}" for number in range(places))
    scope = f"crl_extensions = e\n[e]\nissuingDistributionPoint = critical,@p\n[p]\nfullname = {names}\n"
    configuration.write_text(CONFIGURATION.format(index=index) + (scope if places else ""))
    end = "20240201000000Z" if expired else "20900101000000Z"
    if until:
        end = f"{until:%Y%m%d%H%M%SZ}"
    return _openssl(
        *("ca", "-gencrl", "-config", str(configuration), "-crl_lastupdate", "20240101000000Z"),
        *("-crl_nextupdate", end),
        *("-cert", str(authority.certificate), "-keyfile", str(authority.key)),
    )
