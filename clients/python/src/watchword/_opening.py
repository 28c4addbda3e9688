"""How a session is opened, and what the sessions of both APIs know of themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _operations as operations
from . import _requests as requests
from . import _roots as roots
from ._arguments import FetchOptions
from ._conversation import Conversation
from ._delegate import Delegate
from ._operation import Operation
from ._response import Response
from ._waiting import Channel

if TYPE_CHECKING:
    from .configuration import SessionConfiguration, SessionConfigurationRedirects

__all__ = ["Opening", "SessionCore", "implicit", "prepare"]


class Opening:
    """What ``session/open`` needs."""

    __slots__ = ("by_settings", "configuration", "delegate", "is_implicit", "name", "variant")

    def __init__(
        self,
        name: str | None,
        configuration: SessionConfiguration | None,
        delegate: Delegate,
        by_settings: bool = False,
        variant: str | None = None,
    ) -> None:
        #: The session ``default`` is used without being opened.
        self.is_implicit = False
        self.name = name
        self.configuration = configuration
        self.delegate = delegate
        #: Whether it is the session that is named after its settings.
        self.by_settings = by_settings
        self.variant = variant

    def operation(self) -> Operation[tuple[str, bool]]:
        return operations.open_session(
            self.name,
            self.configuration,
            self.delegate.methods,
            self.delegate.session_methods,
            self.delegate.trust_verdicts,
            self.by_settings,
            self.variant,
        )


def prepare(
    name: str | None,
    configuration: SessionConfiguration | None,
    delegate: Delegate,
    by_settings: bool = False,
    variant: str | None = None,
    trust_env: bool = True,
) -> Opening:
    """The opening; a redirect handler makes ``ask`` the policy where none is named.

    A session without a name has the roots that the environment names, with ``trust_env`` and without its own ones.
    """
    if name is None and trust_env and roots.may_be_added(configuration):
        named = roots.of_environment()
        configuration = configuration if named is None else roots.with_roots(configuration, named)
    if delegate.on_redirect is not None:
        settings: SessionConfiguration = {} if configuration is None else configuration
        redirects: SessionConfigurationRedirects = {"policy": "ask", **settings.get("redirects", {})}
        configuration = {**settings, "redirects": redirects}
    return Opening(name, configuration, delegate, by_settings, variant)


def implicit() -> Opening:
    """Of the session ``default`` of this uid, without any delegate."""
    opening = Opening("default", None, Delegate())
    opening.is_implicit = True
    return opening


class SessionCore:
    """A session's id, and the operations that start tasks in it."""

    __slots__ = ("_asks", "conversation", "created", "id", "opening")

    def __init__(self, conversation: Conversation, opened: tuple[str, bool], opening: Opening) -> None:
        self.move(conversation, opened)
        self.opening = opening
        self._asks = opening.delegate.asks

    def move(self, conversation: Conversation, opened: tuple[str, bool]) -> None:
        """It has been opened on this connection."""
        self.conversation = conversation
        self.id, self.created = opened

    def fetch(self, url: str, options: FetchOptions | None) -> Operation[Response]:
        # Where we can be asked, the task's id must be known before the reply: it says whom the question is for.
        task = self.conversation.next_task() if self._asks else None
        return requests.fetch(self.id, url, task, options)

    def start(self, url: str, options: FetchOptions) -> tuple[Channel[Any], Operation[None]]:
        operation = requests.start(self.id, url, self.conversation.next_task(), options)
        task = operation.task
        assert task is not None
        operation.undo = lambda _: operations.task_verb("cancel", task)
        return self.conversation.open_channel(task), operation
