"""An authorization server made of Authlib, with a page that takes its tokens; run by `OAuthServer`.

`POST /control` changes what it does and says what it has seen.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from typing import Any

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6749.util import scope_to_list
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc8628 import (
    DEVICE_CODE_GRANT_TYPE,
    DeviceAuthorizationEndpoint,
    DeviceCodeGrant,
    DeviceCredentialDict,
)
from flask import Flask, Response, jsonify, request

#: Its secret is taken in the body only.
POSTING = "posting"
CLIENT, SECRET = "builds:1/a", os.environ["OAUTH_SECRET"]
REFRESH = os.environ["OAUTH_REFRESH"]


class Client(ClientMixin):
    def __init__(self, name: str, secret: str | None, *allowed: str) -> None:
        self.name = name
        self.secret = secret
        self.allowed = allowed

    def get_client_id(self) -> str:
        return self.name

    def get_default_redirect_uri(self) -> str:
        return ""

    def get_allowed_scope(self, scope: str) -> str:
        return " ".join(word for word in scope_to_list(scope) if word in ("read", "write"))

    def check_client_secret(self, client_secret: str) -> bool:
        return self.secret == client_secret

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        if self.secret is None:
            return method == "none"
        return method == ("client_secret_post" if self.name == POSTING else "client_secret_basic")

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in self.allowed


class Token(TokenMixin):
    def __init__(self, client: str, data: dict[str, Any]) -> None:
        self.client = client
        self.text = data["access_token"]
        self.refresh = data.get("refresh_token")
        self.scope = data.get("scope", "")
        # Longer than it says: whether a token was used up to its end does not depend on the speed of a test.
        self.end = time.monotonic() + 3600
        self.revoked = False

    def check_client(self, client: Client) -> bool:
        return self.client == client.get_client_id()

    def get_scope(self) -> str:
        return self.scope

    def get_expires_in(self) -> int:
        return 0

    def is_expired(self) -> bool:
        return time.monotonic() >= self.end

    def is_revoked(self) -> bool:
        return self.revoked


class State:
    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        """As after its start."""
        self.lifetime = 3600
        self.tokens: dict[str, Token] = {}
        self.refresh_tokens: dict[str, str] = {REFRESH: "native"}
        self.requests = 0
        # Device codes that were issued, and what a person has said to a user code.
        self.devices: dict[str, DeviceCredentialDict] = {}
        self.answers: dict[str, bool] = {}
        self.interval = 1
        self.polls = 0
        # So many polls are told to slow down.
        self.slow = 0
        self.refused = 0


state = State()
CLIENTS = {
    CLIENT: Client(CLIENT, SECRET, "client_credentials"),
    POSTING: Client(POSTING, SECRET, "client_credentials"),
    "native": Client("native", None, "refresh_token"),
    "device": Client("device", None, DEVICE_CODE_GRANT_TYPE),
    "device+": Client("device+", None, DEVICE_CODE_GRANT_TYPE, "refresh_token"),
}


class ClientCredentials(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ("client_secret_basic", "client_secret_post")


class Refreshing(grants.RefreshTokenGrant):
    """Each refresh token serves once."""

    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token: str) -> Token | None:
        client = state.refresh_tokens.get(refresh_token)
        if client is None:
            return None
        return Token(client, {"access_token": "", "refresh_token": refresh_token, "expires_in": 0})

    def authenticate_user(self, refresh_token: Token) -> str:
        return "reader"

    def revoke_old_credential(self, refresh_token: Token) -> None:
        state.refresh_tokens.pop(refresh_token.refresh or "", None)


class Devices(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = ("none",)

    @property
    def INTERVAL(self) -> int:
        return state.interval

    def get_verification_uri(self) -> str:
        return request.host_url + "activate"

    def save_device_credential(self, client_id: str, scope: str | None, data: dict[str, Any]) -> None:
        state.devices[data["device_code"]] = DeviceCredentialDict(client_id=client_id, scope=scope, **data)


class DeviceCodes(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ("none",)

    def query_device_credential(self, device_code: str) -> DeviceCredentialDict | None:
        state.polls += 1
        return state.devices.get(device_code)

    def query_user_grant(self, user_code: str) -> tuple[str, bool] | None:
        answer = state.answers.get(user_code)
        return None if answer is None else ("reader", answer)

    def should_slow_down(self, credential: DeviceCredentialDict) -> bool:
        state.slow -= 1
        return state.slow >= 0


class Validator(BearerTokenValidator):
    def authenticate_token(self, token_string: str) -> Token | None:
        return state.tokens.get(token_string)


def save(data: dict[str, Any], flow: Any) -> None:
    client = flow.client.get_client_id()
    state.tokens[data["access_token"]] = Token(client, data)
    if "refresh_token" in data:
        state.refresh_tokens[data["refresh_token"]] = client


app = Flask(__name__)
server = AuthorizationServer(app, query_client=CLIENTS.get, save_token=save)
server.register_grant(ClientCredentials)
server.register_grant(Refreshing)
server.register_grant(DeviceCodes)
server.register_endpoint(Devices)
server.register_token_generator(
    "default",
    lambda grant_type, client, user=None, scope=None, expires_in=None, include_refresh_token=True: {
        "token_type": "Bearer",
        "access_token": f"{os.environ['OAUTH_MARK']}.{secrets.token_hex(8)}",
        "expires_in": state.lifetime,
        "scope": scope or "read",
        **(
            {"refresh_token": f"{os.environ['OAUTH_MARK']}.{secrets.token_hex(8)}"}
            if grant_type == "refresh_token"
            or (include_refresh_token and grant_type == DEVICE_CODE_GRANT_TYPE)
            else {}
        ),
    },
)
protect = ResourceProtector()
protect.register_token_validator(Validator())


@app.post("/token")
def token() -> Response:
    with state.lock:
        state.requests += 1
        return server.create_token_response()


@app.post("/device")
def device() -> Response:
    with state.lock:
        return server.create_endpoint_response("device_authorization")


@app.get("/page")
@protect("read")
def page() -> Response:
    return Response("page", mimetype="text/plain")


@app.after_request
def count(response: Response) -> Response:
    if response.status_code == 401 and request.path == "/page" and request.authorization:
        state.refused += 1
    return response


@app.post("/control")
def control() -> Response:
    order = request.get_json()
    with state.lock:
        if order.get("forget"):
            state.forget()
        state.lifetime = order.get("lifetime", state.lifetime)
        if order.get("revoke"):
            for issued in state.tokens.values():
                issued.revoked = True
        state.interval = order.get("interval", state.interval)
        state.slow = order.get("slow", state.slow)
        state.answers.update(order.get("answers", {}))
        if order.get("expire"):
            for credential in state.devices.values():
                credential["expires_at"] = 1
        return jsonify(
            requests=state.requests,
            refused=state.refused,
            refresh=list(state.refresh_tokens),
            devices=len(state.devices),
            polls=state.polls,
        )
