"""The end of a daemon whose changes the store does not have yet."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable

import pytest

from Integration.synchronization.scene import Fleet, keep, shared
from Integration.wire import PATIENCE
from Support.etcd import Etcd


def test_an_idle_daemon_waits_until_the_store_has_its_changes(
    own_etcd: Callable[..., Etcd], make_fleet: Callable[[Etcd], Fleet]
) -> None:
    etcd = own_etcd()
    fleet = make_fleet(etcd)
    host = fleet.host()
    options = host.daemon.options
    host.daemon.options = [*options, "--idle-exit", "1"]
    host.restart()
    host.wait_for("watching")
    member = etcd.members[0].process
    assert member
    member.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, member.pid, os.WSTOPPED | os.WNOWAIT)
    keep(host.peer, shared())
    host.peer.close()
    # The passing of time is what this is about: it is idle for longer than it may be.
    with pytest.raises(subprocess.TimeoutExpired):
        host.daemon.process.wait(2.5)
    member.send_signal(signal.SIGCONT)
    # Sooner than after the 60 seconds for which it waits at most.
    assert host.daemon.process.wait(PATIENCE) == 0
    assert len(fleet.records) == 1
    host.daemon.options = options
    host.daemon.start()
    host.open()
    assert host.wait_for("watching")["synchronization"]["lastError"] is None
