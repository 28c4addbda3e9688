"""``max_retries`` as ``requests`` has it: by a ``urllib3.Retry``."""

from __future__ import annotations

from collections.abc import Callable

import requests
import urllib3
from requests import exceptions
from requests.utils import rewind_body
from urllib3 import exceptions as faults

from .._generated import errors as kinds

__all__ = ["repeated"]


def repeated(
    retries: urllib3.Retry, request: requests.PreparedRequest, send: Callable[[], requests.Response]
) -> requests.Response:
    """Sends, and again as the retries say; what comes of the last time."""
    method, url = request.method or "GET", request.url
    while True:
        try:
            response = send()
        except exceptions.RequestException as error:
            fault = _fault(error, request)
            if fault is None or not _may_be_sent_again(request):
                raise
            try:
                retries = retries.increment(method, url, error=fault)
            except (faults.HTTPError, OSError):
                raise error from error.__cause__
            retries.sleep()
            continue
        if not retries.is_retry(method, response.status_code, "Retry-After" in response.headers):
            return response
        if not _may_be_sent_again(request):
            return response
        try:
            left = retries.increment(method, url, response=response.raw)
        except faults.MaxRetryError as error:
            if not retries.raise_on_status:
                return response
            response.close()
            raise exceptions.RetryError(error, request=request) from error
        response.close()
        retries = left
        retries.sleep(response.raw)


def _fault(error: exceptions.RequestException, request: requests.PreparedRequest) -> Exception | None:
    """The fault that urllib3 has for it; None for what no repetition helps against."""
    text = str(error)
    if isinstance(error, exceptions.ConnectTimeout):
        return faults.ConnectTimeoutError(text)
    if isinstance(error, exceptions.ReadTimeout):
        return faults.ReadTimeoutError(None, request.url, text)  # type: ignore[arg-type]
    if isinstance(error.__cause__, (kinds.ConnectionFailed, kinds.NameNotResolved)):
        return faults.ConnectTimeoutError(text)
    return faults.ProtocolError(text) if isinstance(error.__cause__, kinds.ConnectionLost) else None


def _may_be_sent_again(request: requests.PreparedRequest) -> bool:
    if request.body is None or isinstance(request.body, (str, bytes)):
        return True
    try:
        rewind_body(request)
    except exceptions.UnrewindableBodyError:
        return False
    return True
