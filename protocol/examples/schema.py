"""Checks JSON values and messages against openrpc.json.

Knows the part of JSON Schema that openrpc.json uses and nothing else; a keyword that it does not know is an
error, so that a rule added to the document is never silently skipped.
"""

import json
import re
from pathlib import Path

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "integer": lambda v: not isinstance(v, bool) and (isinstance(v, int) or isinstance(v, float) and v.is_integer()),
    "number": lambda v: not isinstance(v, bool) and isinstance(v, (int, float)),
}
NOTES = {
    "description",
    "contentEncoding",
    "default",
    "x-beyond",
    "x-check",
    "x-discriminator",
    "x-open",
    "x-presence",
    "x-rules",
    "x-secret",
    "x-words",
}


class Mismatch(Exception):
    """A value that breaks its schema; the message says where and how."""


class Document:
    """openrpc.json, with one question per kind of message. Each raises Mismatch or returns nothing."""

    def __init__(self, folder):
        self.document = json.loads(Path(folder, "openrpc.json").read_text(encoding="utf-8"))
        self.methods = {method["name"]: method for method in self.document["methods"]}
        self.notifications = {note["name"]: note for note in self.document["x-notifications"]}
        self.errors = {error["kind"]: error for error in json.loads(Path(folder, "errors.json").read_text("utf-8"))}

    def request(self, message):
        method = message.get("method")
        if "id" in message:
            if method not in self.methods:
                raise Mismatch(f"no such method: {method}")
            self._params(self.methods[method], message.get("params", {}))
        elif method in self.notifications and self.notifications[method]["direction"] == "clientToServer":
            self._params(self.notifications[method], message.get("params", {}))

    def result(self, method, value):
        self.check(value, self.methods[method]["result"]["schema"], "result")

    def error(self, error):
        self.check(error, {"$ref": "#/components/schemas/Error"}, "error")
        self.check(error["data"], {"$ref": "#/components/schemas/ErrorData"}, "error.data")
        row = self.errors.get(error["data"]["kind"])
        if row is None:
            raise Mismatch(f"error.data.kind: {error['data']['kind']} is not in errors.json")
        for member, value in (("code", error["code"]), ("retry", error["data"]["retry"])):
            if row[member] != value:
                raise Mismatch(f"error: {member} {value}, errors.json says {row[member]} for {row['kind']}")
        for name, member in row.get("data", {}).items():
            if name in error["data"] and "enumerations" in member:
                words = [{"$ref": f"#/components/schemas/{each}"} for each in member["enumerations"]]
                self.check(error["data"][name], {"anyOf": words}, f"error.data.{name}")

    def notification(self, message):
        note = self.notifications.get(message["method"])
        if note is None or note["direction"] != "serverToClient":
            raise Mismatch(f"no such notification: {message['method']}")
        self._params(note, message.get("params", {}))

    def _params(self, entry, params):
        schema = entry.get("paramsSchema") or {
            "type": "object",
            "properties": {p["name"]: p["schema"] for p in entry["params"]},
            "required": [p["name"] for p in entry["params"] if p["required"]],
            "additionalProperties": entry["x-additionalParams"],
        }
        self.check(params, schema, "params")

    def check(self, value, schema, path):
        """Raises Mismatch unless `value` fits `schema`."""
        for keyword, rule in schema.items():
            if keyword not in NOTES:
                test = getattr(self, "_" + keyword.lstrip("$").replace("-", "_"), None)
                if test is None:
                    raise Mismatch(f"{path}: openrpc.json uses {keyword}, which schema.py does not know")
                test(value, rule, path, schema)

    def fits(self, value, schema):
        try:
            self.check(value, schema, "")
        except Mismatch:
            return False
        return True

    def _ref(self, value, rule, path, _):
        target = self.document
        for part in rule[2:].split("/"):
            target = target[part]
        self.check(value, target, path)

    def _type(self, value, rule, path, _):
        if not TYPES[rule](value):
            raise Mismatch(f"{path}: {json.dumps(value)[:80]} is no {rule}")

    def _const(self, value, rule, path, _):
        if value != rule or isinstance(value, bool) != isinstance(rule, bool):
            raise Mismatch(f"{path}: {json.dumps(value)[:80]} is not {json.dumps(rule)}")

    def _enum(self, value, rule, path, _):
        if value not in rule:
            raise Mismatch(f"{path}: {json.dumps(value)[:80]} is none of {', '.join(map(str, rule))}")

    def _properties(self, value, rule, path, _):
        for name, schema in rule.items() if isinstance(value, dict) else ():
            if name in value:
                self.check(value[name], schema, f"{path}.{name}")

    def _required(self, value, rule, path, _):
        for name in rule if isinstance(value, dict) else ():
            if name not in value:
                raise Mismatch(f"{path}.{name}: missing")

    def _additionalProperties(self, value, rule, path, schema):
        for name in value if isinstance(value, dict) else ():
            if name not in schema.get("properties", {}):
                if rule is False:
                    raise Mismatch(f"{path}.{name}: unknown")
                if isinstance(rule, dict):
                    self.check(value[name], rule, f"{path}.{name}")

    def _items(self, value, rule, path, _):
        for index, item in enumerate(value if isinstance(value, list) else ()):
            if isinstance(rule, dict):
                self.check(item, rule, f"{path}[{index}]")
            elif index < len(rule):
                self.check(item, rule[index], f"{path}[{index}]")

    def _contains(self, value, rule, path, _):
        if isinstance(value, list) and not any(self.fits(item, rule) for item in value):
            raise Mismatch(f"{path}: no element fits {json.dumps(rule)[:80]}")

    def _allOf(self, value, rule, path, _):
        for schema in rule:
            self.check(value, schema, path)

    def _anyOf(self, value, rule, path, _):
        self._choices(value, rule, path, at_most=len(rule))

    def _oneOf(self, value, rule, path, _):
        self._choices(value, rule, path, at_most=1)

    def _choices(self, value, rule, path, at_most):
        count = sum(self.fits(value, schema) for schema in rule)
        if count == 0:
            for schema in rule:  # the choice of the right type explains best what is wrong
                if TYPES.get(self._resolved(schema).get("type"), lambda _: False)(value):
                    self.check(value, schema, path)
            raise Mismatch(f"{path}: {json.dumps(value)[:80]} fits none of {len(rule)} choices")
        if count > at_most:
            raise Mismatch(f"{path}: fits {count} choices")

    def _resolved(self, schema):
        while "$ref" in schema:
            schema = self.document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
        return schema

    def _bound(holds, what):  # noqa: N805
        def test(self, value, rule, path, _):
            if not isinstance(value, bool) and not holds(value, rule):
                raise Mismatch(f"{path}: {what} {rule}")

        return test

    _minimum = _bound(lambda v, r: not isinstance(v, (int, float)) or v >= r, "less than")
    _maximum = _bound(lambda v, r: not isinstance(v, (int, float)) or v <= r, "more than")
    _exclusiveMinimum = _bound(lambda v, r: not isinstance(v, (int, float)) or v > r, "not more than")
    _minLength = _bound(lambda v, r: not isinstance(v, str) or len(v) >= r, "shorter than")
    _maxLength = _bound(lambda v, r: not isinstance(v, str) or len(v) <= r, "longer than")
    _x_minBytes = _bound(lambda v, r: not isinstance(v, str) or len(v.encode()) >= r, "fewer bytes than")
    _x_maxBytes = _bound(lambda v, r: not isinstance(v, str) or len(v.encode()) <= r, "more bytes than")
    _x_decimals = _bound(lambda v, r: not isinstance(v, float) or round(v, r) == v, "more digits after the point than")
    _minItems = _bound(lambda v, r: not isinstance(v, list) or len(v) >= r, "fewer items than")
    _maxItems = _bound(lambda v, r: not isinstance(v, list) or len(v) <= r, "more items than")
    _maxProperties = _bound(lambda v, r: not isinstance(v, dict) or len(v) <= r, "more members than")
    _pattern = _bound(lambda v, r: not isinstance(v, str) or re.search(re.sub(r"\$$", r"\\Z", r), v), "does not match")
    _uniqueItems = _bound(lambda v, r: not isinstance(v, list) or len({json.dumps(x) for x in v}) == len(v), "unique")
