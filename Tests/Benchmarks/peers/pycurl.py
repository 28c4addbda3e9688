"""libcurl in the caller's own process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, BinaryIO

import pycurl

from Benchmarks.callers import Batch, Caller, Get, Sample, Target, require

WORKLOADS = {"W1", "W2", "W3", "W4", "W4x64", "W5", "W5h2", "W6p", "W6s", "W6u", "W9"}

METHODS = {"basic": pycurl.HTTPAUTH_BASIC, "digest": pycurl.HTTPAUTH_DIGEST}


def _handle(target: Target) -> Any:
    handle = pycurl.Curl()
    handle.setopt(pycurl.URL, target.url)
    handle.setopt(pycurl.CAINFO, target.root)
    handle.setopt(pycurl.NOSIGNAL, 1)
    version = pycurl.CURL_HTTP_VERSION_2TLS if target.http2 else pycurl.CURL_HTTP_VERSION_1_1
    handle.setopt(pycurl.HTTP_VERSION, version)
    if target.http2:
        handle.setopt(pycurl.PIPEWAIT, 1)
    if target.authentication in METHODS:
        handle.setopt(pycurl.USERPWD, f"{target.user}:{target.password}")
        handle.setopt(pycurl.HTTPAUTH, METHODS[target.authentication])
    if target.proxy:
        handle.setopt(pycurl.PROXY, target.proxy)
        handle.setopt(pycurl.PROXYUSERPWD, f"{target.user}:{target.password}")
    return handle


@contextmanager
def blocking(target: Target) -> Iterator[Caller[Get]]:
    handle = _handle(target)

    def get() -> bytes:
        body = BytesIO()
        handle.setopt(pycurl.WRITEDATA, body)
        handle.perform()
        require(handle.getinfo(pycurl.RESPONSE_CODE) == 200, "a fetch failed")
        return body.getvalue()

    yield Caller(get)


@contextmanager
def batch(target: Target, window: int) -> Iterator[Caller[Batch]]:
    """A multi handle, in the way that libcurl's own examples drive one."""
    multi = pycurl.CurlMulti()
    multi.setopt(pycurl.M_MAX_HOST_CONNECTIONS, 1 if target.http2 else window)
    free = [_handle(target) for _ in range(window)]
    expected = target.body
    clock = time.perf_counter

    def run(count: int) -> Sample:
        latencies: list[float] = []
        left, began = count, clock()
        while len(latencies) < count:
            while free and left:
                handle, left = free.pop(), left - 1
                handle.body, handle.began = BytesIO(), clock()
                handle.setopt(pycurl.WRITEDATA, handle.body)
                multi.add_handle(handle)
            multi.perform()
            _, finished, failed = multi.info_read()
            require(not failed, "a fetch failed")
            for handle in finished:
                latencies.append(clock() - handle.began)
                multi.remove_handle(handle)
                require(handle.body.getvalue() == expected, "a body is not whole")
                free.append(handle)
            if not finished:
                multi.select(1.0)
        return Sample(clock() - began, latencies)

    yield Caller(run)


@contextmanager
def download(target: Target, descriptor: int) -> Iterator[Caller[Callable[[], None]]]:
    handle = _handle(target)
    handle.setopt(pycurl.BUFFERSIZE, 512 * 1024)
    with open(descriptor, "wb", buffering=0, closefd=False) as output:
        handle.setopt(pycurl.WRITEDATA, output)
        yield Caller(handle.perform)


@contextmanager
def upload(target: Target, source: BinaryIO) -> Iterator[Caller[Callable[[], None]]]:
    handle = _handle(target)
    handle.setopt(pycurl.UPLOAD, 1)
    handle.setopt(pycurl.UPLOAD_BUFFERSIZE, 512 * 1024)
    handle.setopt(pycurl.INFILESIZE_LARGE, target.size)
    handle.setopt(pycurl.READDATA, source)
    yield Caller(handle.perform)
