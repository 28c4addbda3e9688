"""What a credential of a source says on the wire."""

from __future__ import annotations

import watchword


def test_a_source_goes_by_its_name() -> None:
    wire = watchword.SourceCredential("deploy").to_wire()
    assert wire == {"source": "deploy", "persistence": "forSession"}
    limits = watchword.Limits(maximum_uses=1)
    wire = watchword.SourceCredential("deploy", watchword.Persistence.NONE, limits).to_wire()
    assert wire == {"source": "deploy", "persistence": "none", "limits": {"maximumUses": 1}}
