"""A stale password for Negotiate costs one login at the KDC, for any number of tasks (challenges.md 12.8)."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from Integration import sentinels
from Integration.negotiate.realm_peer import RealmPeer
from Integration.wire import RemoteError, password
from Support.kerberos import Realm
from Support.kerberos_apache import HOST, KerberosApache

TASKS = 1000


def bad_logins(realm: Realm, user: str) -> int:
    """What the KDC would lock the account by."""
    found = re.search(r"^Failed password attempts: (\d+)$", realm.administer(f"getprinc {user}"), re.M)
    assert found
    return int(found.group(1))


def outcome(peer: RealmPeer, fetch: int) -> str:
    """The refusal of the server, or why there is no token for it."""
    try:
        return str(peer.result(fetch, 60)["status"])
    except RemoteError as error:
        return str(error.data["reason"])


@pytest.mark.parametrize(("place", "user"), [("vault", "mover"), ("session", "changer")])
def test_parallel_tasks_with_a_stale_password_make_one_bad_login(
    peer: RealmPeer, web: KerberosApache, realm: Realm, place: str, user: str
) -> None:
    realm.add_user(user, sentinels.OTHER_PASSWORD)
    storage = "shared" if place == "vault" else "private"
    session = peer.open(configuration={"addresses": web.addresses, "credentialStorage": storage})
    space = {"protocol": "http", "host": HOST, "port": web.plain_port, "authenticationMethod": "negotiate"}
    credential = password(user, sentinels.PASSWORD, "permanent" if place == "vault" else "forSession")
    peer.call("credential/set", {"session": session, "protectionSpace": space, "credential": credential})
    fetches = [peer.start_fetch(session, web.plain + "/negotiate/small") for _ in range(TASKS)]
    # The realm refuses it to the task that tries it, and the server refuses the others, which send nothing.
    outcomes = Counter(outcome(peer, fetch) for fetch in fetches)
    assert outcomes == {"credentialRefused": 1, "401": TASKS - 1}
    fetches = [peer.start_fetch(session, web.plain + "/negotiate/small") for _ in range(20)]
    assert {outcome(peer, fetch) for fetch in fetches} == {"401"}
    assert bad_logins(realm, user) == 1
