"""Every error of the wire has its class, and the table is the protocol's."""

from __future__ import annotations

import copy
import json
import multiprocessing
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

import watchword
from fake_daemon import response as a_response
from watchword import ERRORS, OtherError, RPCError, WatchwordError
from watchword._errors import error_from_wire

ERRORS_FILE = Path(__file__).parents[3] / "protocol" / "errors.json"
CONTRACT = {row["kind"]: (row["code"], row["retry"]) for row in json.loads(ERRORS_FILE.read_text())}


def table() -> dict[str, tuple[int, str]]:
    return {kind: (cls.expected_code, cls.expected_retry) for kind, cls in ERRORS.items()}


def test_the_table_is_the_contract() -> None:
    assert table() == CONTRACT


@pytest.mark.parametrize("kind", list(CONTRACT))
def test_a_kind_maps_to_the_class_of_its_name(kind: str) -> None:
    code, retry = CONTRACT[kind]
    error = error_from_wire(code, "why", {"kind": kind, "retry": retry})
    assert type(error).__name__.lower() == kind.lower()
    assert type(error) is getattr(watchword, type(error).__name__)
    assert (error.code, error.kind, error.retry, error.message) == (code, kind, retry, "why")
    assert isinstance(error, WatchwordError)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.code, again.data) == (type(error), code, error.data)


def test_a_code_without_kind_maps_by_the_code() -> None:
    assert isinstance(error_from_wire(-32601, "no such method", None), watchword.MethodNotFound)


@pytest.mark.parametrize(("code", "kind"), [(1999, "moonPhase"), (1000, "moonPhase"), (1999, None), (0, 5)])
def test_unknown_kinds_and_codes_are_other(code: int, kind: object) -> None:
    error = error_from_wire(code, "?", {"kind": kind, "retry": 3} if kind is not None else None)
    if kind == 5:
        assert error.kind == ""
    assert type(error) is OtherError
    assert error.code == code
    assert error.retry == "never"


def test_control_characters_of_a_message_are_escaped_when_printed() -> None:
    error = error_from_wire(1300, "bad\x1b[2J\nrealm\u202e", {"kind": "transportFailed", "url": "http://a\x07/"})
    assert str(error) == "bad\\x1b[2J\\nrealm\\u202e (http://a\\x07/)"


def test_every_class_of_the_tree_is_exported_and_drawn() -> None:
    from watchword import _errors
    from watchword._generated import errors

    drawn = f"{_errors.__doc__}{errors.__doc__}"

    def walk(cls: type[BaseException]) -> set[type[BaseException]]:
        return {cls}.union(*(walk(sub) for sub in cls.__subclasses__()))

    for cls in walk(WatchwordError):
        if cls.__module__.startswith("watchword."):
            assert cls.__name__ in drawn, cls
            assert getattr(watchword, cls.__name__) is cls
            assert cls.__name__ in watchword.__all__
    assert issubclass(RPCError, WatchwordError)


def test_a_place_that_the_message_names_is_not_said_twice() -> None:
    assert str(watchword.BodyTooLarge("http://a/b: no", data={"url": "http://a/b"})) == "http://a/b: no"


def test_a_wrong_argument_has_the_name_that_the_call_gives_it() -> None:
    path = "params.timeouts.requestSeconds"
    error = watchword.InvalidParams(f"{path}: no", data={"path": path})
    assert (str(error), error.message, error.path) == ("timeouts.request_seconds: no", f"{path}: no", path)
    assert str(watchword.InvalidParams("no", data={"path": "params.url"})) == "no (params.url)"


def every_error() -> list[WatchwordError]:
    """One of each class, as the daemon's reply or this package makes it."""
    result = {**a_response(404), "body": {"base64": "AAE="}}
    made: list[WatchwordError] = [watchword.StatusError(watchword.Response(result))]
    for name in watchword.__all__:
        cls = getattr(watchword, name)
        if isinstance(cls, type) and issubclass(cls, WatchwordError) and cls is not watchword.StatusError:
            data = {"path": "params.url", "phase": "connect", "reasons": [{"reason": "expired", "depth": 0}]}
            made.append(cls("why", data=data, code=7) if issubclass(cls, RPCError) else cls("why"))
    return made


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("error", every_error(), ids=lambda error: type(error).__name__)
def test_errors_survive_pickling(error: Any, protocol: int) -> None:
    error.place = "where it was caught"  # as add_note does from Python 3.11 on
    again = pickle.loads(pickle.dumps(error, protocol))
    assert type(again) is type(error)
    assert (str(again), again.args) == (str(error), error.args)
    assert {**again.__dict__, "response": None} == {**error.__dict__, "response": None}
    if isinstance(error, watchword.StatusError):
        assert (again.status, again.response.url, again.response.content) == (404, error.response.url, b"\0\1")
        assert again.response.headers.pairs() == error.response.headers.pairs()


def test_errors_come_back_from_another_process() -> None:
    with multiprocessing.get_context("fork").Pool(1) as pool, pytest.raises(watchword.StatusError) as caught:
        pool.apply(refused)
    assert (caught.value.status, caught.value.response.text) == (503, "body")


def refused() -> None:
    watchword.Response(a_response(503)).raise_for_status()


def test_a_response_takes_its_memory_file_along() -> None:
    descriptor = os.memfd_create("body")
    os.write(descriptor, b"in a file")
    result = {**a_response(), "body": {"descriptor": 0, "size": 9}}
    response = watchword.Response(result, [descriptor])
    copies = [copy.copy(response), pickle.loads(pickle.dumps(response))]
    response.close()
    assert [(copied.content, copied.size, copied.status) for copied in copies] == [(b"in a file", 9, 200)] * 2
    with pytest.raises(watchword.BodyError):
        assert pickle.loads(pickle.dumps(watchword.Response({**result, "body": {"size": 9}}))).content


def test_timed_out_is_a_timeout_error() -> None:
    error = error_from_wire(1304, "no answer", {"kind": "timedOut", "retry": "later", "phase": "connect"})
    with pytest.raises(TimeoutError) as caught:
        raise error
    assert isinstance(caught.value, watchword.TimedOut)
    assert (caught.value.phase, error.code, error.retry, str(error)) == ("connect", 1304, "later", "no answer")


@pytest.mark.parametrize(("sent", "read"), [("no", "no"), ("unknown", "unknown"), (None, None), (7, None)])
def test_a_lost_connection_says_whether_the_request_was_processed(sent: Any, read: Any) -> None:
    data = {"kind": "connectionLost", "retry": "same", **({} if sent is None else {"processed": sent})}
    error = error_from_wire(1303, "lost", data)
    assert isinstance(error, watchword.ConnectionLost)
    assert error.processed == read
    assert error.responseBegan is False
    began = error_from_wire(1303, "lost", {**data, "responseBegan": True})
    assert isinstance(began, watchword.ConnectionLost)
    assert began.responseBegan is True
