"""A backend of ``keyring``: pip, twine and others keep their passwords in Watchword's vault and get them back.

With ``pip install watchword[keyring]`` keyring finds it by itself; ``keyring --list-backends`` shows it. It is
preferred to plain files and comes after a desktop's own keyring. To choose it, set ``PYTHON_KEYRING_BACKEND`` to
``watchword.adapters.keyring.WatchwordKeyring``.

- A service that is an ``http`` or ``https`` URL is its origin: scheme, host and port. One password of a user serves
  all paths of it, and fetches through Watchword use it, too.
- Any other service, such as ``example-app``, is the realm of this name at ``https://keyring.invalid``, where no fetch
  leads (RFC 6761 §6.4). A host without a scheme is such a name.

Only what was stored readable is given back: by this backend, or by ``watchword git-credential`` for the same origin.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from keyring import backend, credentials, errors
from keyring.compat import properties

from .. import _errors
from .._client import Client
from .._connecting import default_socket_path
from .._credentials import Credential, Persistence
from .._generated import errors as kinds
from .._session import Session
from .._spaces import ProtectionSpace

__all__ = ["WatchwordKeyring"]


class WatchwordKeyring(backend.KeyringBackend):
    """Passwords in the vault of the daemon, which is started where none runs."""

    @properties.classproperty
    def priority(cls) -> float:
        if shutil.which("watchwordd") is None and not default_socket_path().exists():
            raise RuntimeError("watchwordd is not in PATH and does not run")
        return 2

    def get_password(self, service: str, username: str) -> str | None:
        found = self.get_credential(service, username)
        return None if found is None else found.password

    def get_credential(self, service: str, username: str | None) -> credentials.SimpleCredential | None:
        with _session() as session:
            try:
                found = session.read_credential(_space(service), username or None)
            except (kinds.CredentialNotFound, kinds.CredentialUnusable):
                return None
            return credentials.SimpleCredential(found.user or "", found.secret)

    def set_password(self, service: str, username: str, password: str) -> None:
        credential = Credential(username, password, persistence=Persistence.PERMANENT)
        with _session() as session:
            try:
                session.set_credential(_space(service), credential, readable=True)
            except (kinds.CredentialUnusable, kinds.InvalidParams) as error:
                raise errors.PasswordSetError(str(error)) from error

    def delete_password(self, service: str, username: str) -> None:
        with _session() as session:
            space = _space(service)
            try:
                session.read_credential(space, username)
            except (kinds.CredentialNotFound, kinds.CredentialUnusable) as error:
                raise errors.PasswordDeleteError("no such password") from error
            session.remove_credential(space, username)


def _space(service: str) -> ProtectionSpace:
    """The protection space of a service's name."""
    try:
        parts = urlsplit(service)
        host, port = parts.hostname, parts.port
    except ValueError:
        return _named(service)
    if parts.scheme not in ("http", "https") or not host:
        return _named(service)
    port = port or (443 if parts.scheme == "https" else 80)
    return ProtectionSpace(parts.scheme, host, port, None, "default", any_realm=True)


def _named(service: str) -> ProtectionSpace:
    # A user of Basic has no colon.
    return ProtectionSpace("https", "keyring.invalid", 443, service, "digest")


@contextmanager
def _session() -> Iterator[Session]:
    """The session ``default``; failures are keyring's, with ours as ``__cause__``."""
    try:
        with Client(start=True) as client:
            yield client.default_session()
    except kinds.AgentLocked as error:
        raise errors.KeyringLocked(str(error)) from error
    except _errors.WatchwordError as error:
        raise errors.KeyringError(str(error)) from error
