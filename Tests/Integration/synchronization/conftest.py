"""A cluster for all tests that leave it as it was, and a fleet for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from Integration.synchronization.scene import Fleet
from Integration.wire import Peer
from Support.etcd import Etcd


@pytest.fixture(scope="session")
def etcd(run_directory: Path) -> Iterator[Etcd]:
    cluster = Etcd(run_directory / "etcd")
    yield cluster
    cluster.stop()


@pytest.fixture
def own_etcd(tmp_path: Path) -> Iterator[Callable[..., Etcd]]:
    """Makes clusters for tests that stop members, or compact."""
    clusters: list[Etcd] = []

    def make(members: int = 1, **options: object) -> Etcd:
        clusters.append(Etcd(tmp_path / f"etcd-{len(clusters)}", members, **options))  # type: ignore[arg-type]
        return clusters[-1]

    yield make
    for cluster in clusters:
        cluster.stop()


@pytest.fixture
def make_fleet(tmp_path: Path) -> Iterator[Callable[[Etcd], Fleet]]:
    fleets: list[Fleet] = []

    def make(etcd: Etcd) -> Fleet:
        fleets.append(Fleet(tmp_path, etcd, lambda daemon: Peer(daemon.socket)))
        return fleets[-1]

    yield make
    for fleet in fleets:
        fleet.stop()


@pytest.fixture
def fleet(make_fleet: Callable[[Etcd], Fleet], etcd: Etcd) -> Fleet:
    return make_fleet(etcd)
