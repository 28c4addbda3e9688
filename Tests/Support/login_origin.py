"""A web application with a login form: Flask's sessions in cookies, and a hidden token in each form."""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass, field

from flask import Flask, Response, redirect, request, session
from waitress.server import create_server

from Support import loopback

PAGE = """<!doctype html><title>Sign in</title><nav><form action="/search"><input name="q"></form></nav>
<main class="login {state}"><form id="login" method="post" action="{action}">
<input type="hidden" name="csrf" value="{token}"><p><label>User <input name="user"></label>
<p><label>Password <input type="password" name="password"></label>
<button name="go" value="in">Sign in</button>
</form></main>"""


@dataclass(frozen=True)
class Login:
    """One form that was posted."""

    user: str
    is_accepted: bool
    fields: list[str]
    origin: str | None
    referer: str | None
    authorization: str | None


@dataclass
class LoginOrigin:
    """Pages below `/private/` lead to `/login` until a user has signed in."""

    user: str
    password: str
    logins: list[Login] = field(default_factory=list)
    #: What the form's `action` says.
    action: str = "/login?next=/private/"
    #: Whether an accepted password leads nowhere: the session stays signed out.
    forgets: bool = False
    #: Whether forms are answered with a 503 and the login page, as by a server in front of the origin.
    is_down: bool = False
    #: Sessions that are signed in; emptied, all have to sign in again.
    signed_in: set[str] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.app = self.application()
        self._server = create_server(self.app, host=loopback.HOST, port=0, threads=8)
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://{loopback.HOST}:{self._server.effective_port}"

    def stop(self) -> None:
        self._server.close()

    def application(self) -> Flask:
        app = Flask("login")
        app.secret_key = secrets.token_bytes(16)

        def page(state: str = "") -> str:
            session["csrf"] = secrets.token_hex(8)
            return PAGE.format(state=state, action=self.action, token=session["csrf"])

        @app.get("/login")
        def form() -> str:
            return page()

        @app.post("/login")
        def sign_in() -> Response | str | tuple[str, int]:
            given = request.form
            is_accepted = (
                given.get("csrf") == session.get("csrf")
                and given.get("user") == self.user
                and given.get("password") == self.password
                and given.get("go") == "in"
            )
            with self.lock:
                self.logins.append(
                    Login(
                        given.get("user", ""),
                        is_accepted,
                        list(given),
                        request.headers.get("Origin"),
                        request.headers.get("Referer"),
                        request.headers.get("Authorization"),
                    )
                )
            if self.is_down:
                return page("down"), 503
            if not is_accepted:
                return page("failed")
            if not self.forgets:
                session["key"] = secrets.token_hex(8)
                self.signed_in.add(session["key"])
            return redirect("/private/")  # type: ignore[return-value]

        @app.route("/private/<path:name>", methods=["GET", "POST", "PUT"])
        @app.route("/private/", defaults={"name": "home"})
        def private(name: str) -> Response | str | tuple[str, int]:
            if session.get("key") in self.signed_in:
                return f"<p class=welcome>{request.method} {name} {request.get_data(as_text=True)}</p>"
            if name == "inline":
                return page(), 403
            return redirect(f"/login?next=/private/{name}")  # type: ignore[return-value]

        return app
