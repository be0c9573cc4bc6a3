"""Secrets taken out of a text, or out of all strings of a JSON value: a mask with the kind stands in their place.

Masks hold no quote, backslash or newline, so a text that was JSON stays JSON. Masking what is masked changes nothing.
Credentials of authorization headers are masked whatever their format is.
"""

from __future__ import annotations

import re
from collections.abc import MutableMapping
from typing import Any

from ctxinspect.text.secrets import KEY_BODY, TELLING, Secret, fingerprint, may_hold_secrets, replace_secrets

__all__ = ["HEADER_KIND", "Found", "mask_joined", "mask_text", "mask_value", "raw_may_hold_secrets"]

Found = MutableMapping[str, str]
"""Fingerprint → kind of every secret that was masked."""

HEADER_KIND = "authorization header"
_SECRET_HEADERS = frozenset(
    {"authorization", "proxy-authorization", "x-api-key", "api-key", "apikey", "x-goog-api-key", "x-auth-token"}
)
_SHORTEST = 8
_SHORTEST_KEY = 16
_CREDENTIAL = r"(?P<credential>[A-Za-z0-9._~+/=-]{16,})"
_HEADER_LINE = re.compile(
    r"""(?P<lead>(?:authorization(?:\\?["'])?\s*[:=]\s*(?:\\?["'])?\s*(?:bearer|basic|token|apikey)\s+"""
    r"""|(?:x-api-key|api-key|x-goog-api-key|x-auth-token)(?:\\?["'])?\s*[:=]\s*(?:\\?["'])?))""" + _CREDENTIAL,
    re.IGNORECASE,
)
_SCHEME = re.compile(r"\s*(?:bearer|basic|token|apikey)\s+", re.IGNORECASE)
_NAMES = (
    r"z(?<=uthoriz)ation",
    r"Z(?<=UTHORIZ)ATION",
    r"-(?:(?<=[Pp][Ii]-)[Kk]|(?<=[Tt][Hh]-)[Tt])",
    r"_(?:(?<=[Pp][Ii]_)[Kk]|(?<=[Tt][Hh]_)[Tt])",
    r"k(?<=pik)ey",
    r"K(?:(?<=piK)ey|(?<=PIK)EY)",
)
"""Every header name that is known holds one of these."""

_ESCAPES = (r"\\(?:u00[2-7]|/)",)
"""JSON escapes of printable ASCII, behind which anything may hide."""

_HEADER_HINTS = tuple(map(re.compile, _NAMES))
_RAW_HINTS = tuple(re.compile(hint.encode()) for hint in (*TELLING, *_NAMES, *_ESCAPES))
_GOES_ON = re.compile(
    r"(?P<key>\[masked private key: [^\[\]]*\])" + KEY_BODY + r"|(?P<mask>\[masked [^\[\]]*\])"
    r"(?P<rest>[_~+/=-]*[A-Za-z0-9](?:[A-Za-z0-9_~+/=-]|\.(?=[A-Za-z0-9]))*)"
)
"""A mask, and the rest of the secret that its fragment held only the beginning of."""

_LENGTH = re.compile(r"\((\d+) characters\)")
_PLACEHOLDER = re.compile(r"\s*[\[<*{$(]|.*redacted", re.IGNORECASE | re.DOTALL)


def raw_may_hold_secrets(raw: bytes) -> bool:
    """False where the JSON text cannot hold anything to mask; escapes that could hide it count as a yes."""
    return any(hint.search(raw) for hint in _RAW_HINTS)


def mask_text(text: str, found: Found | None = None) -> str:
    """The text with every secret masked; `found` collects what was."""

    def masked(secret: Secret, original: str) -> str:
        return _noted(f"{secret.kind}: {secret.masked}", secret.kind, original, found)

    made = replace_secrets(text, masked)
    if any(hint.search(made) for hint in _HEADER_HINTS):
        made = _HEADER_LINE.sub(lambda match: _header_line(match, found), made)
    return made


def mask_value(value: Any, found: Found | None = None) -> Any:
    """The JSON value with every secret in it masked, in place (a string is returned anew). Keys are masked too."""
    if isinstance(value, str):
        return mask_text(value, found)
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if any(len(key) >= _SHORTEST_KEY and may_hold_secrets(key) for key in node):
                items = [(mask_text(key, found), inner) for key, inner in node.items()]
                node.clear()
                node.update(items)
            named = node.get("name")
            own = isinstance(named, str) and _plain(named) in _SECRET_HEADERS
            for key, inner in node.items():
                secret = _plain(key) in _SECRET_HEADERS or (own and key == "value")
                node[key] = _replaced(inner, found, header=secret, waiting=waiting)
        elif isinstance(node, list):
            for number, inner in enumerate(node):
                node[number] = _replaced(inner, found, header=False, waiting=waiting)
    return value


def mask_joined(value: Any, found: Found | None = None) -> Any:
    """As `mask_value`, for a value whose strings were joined from fragments that were masked one by one.

    A secret that was cut by the fragments is whole again here; of one whose beginning was long enough to be masked in
    its fragment the rest goes too. Nested values are changed in place.
    """
    made = mask_value(value, found)
    if isinstance(made, str):
        return _whole(made)
    waiting = [made]
    while waiting:
        node = waiting.pop()
        places: Any = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, inner in list(places):
            if isinstance(inner, str):
                node[key] = _whole(inner)
            else:
                waiting.append(inner)
    return made


def _whole(text: str) -> str:
    return _GOES_ON.sub(_with_rest, text) if "[masked " in text else text


def _with_rest(match: re.Match[str]) -> str:
    if match["key"]:
        return match["key"]
    return _LENGTH.sub(lambda length: f"({int(length[1]) + len(match['rest'])} characters)", match["mask"])


def _replaced(inner: Any, found: Found | None, *, header: bool, waiting: list[Any]) -> Any:
    if isinstance(inner, str):
        return _header_value(inner, found) if header else mask_text(inner, found)
    if header and isinstance(inner, list):
        return [_replaced(item, found, header=True, waiting=waiting) for item in inner]
    if isinstance(inner, (dict, list)):
        waiting.append(inner)
    return inner


def _header_value(value: str, found: Found | None) -> str:
    """The value of a header that holds a credential, whatever its format: the scheme stays."""
    made = mask_text(value, found)
    if "[masked " in made or len(value) < _SHORTEST:
        return made
    scheme = _SCHEME.match(value)
    lead = scheme.group() if scheme else ""
    if _PLACEHOLDER.match(value, len(lead)):
        return made
    return lead + _header_mask(value[len(lead) :], found, telling="basic" not in lead.lower())


def _header_line(match: re.Match[str], found: Found | None) -> str:
    credential = match["credential"]
    if not any(char.isdigit() for char in credential):  # a name or a word in an explanation
        return match.group()
    return match["lead"] + _header_mask(credential, found, telling="basic" not in match["lead"].lower())


def _header_mask(credential: str, found: Found | None, *, telling: bool) -> str:
    """`telling`: whether the credential is long and random enough for a fingerprint to give nothing away."""
    shown = f"{HEADER_KIND}: ... ({len(credential)} characters)"
    if telling:
        return _noted(shown, HEADER_KIND, credential, found)
    if found is not None:
        found[f"basic {len(credential)}"] = HEADER_KIND
    return f"[masked {shown}]"


def _noted(shown: str, kind: str, original: str, found: Found | None) -> str:
    mark = fingerprint(original)
    if found is not None:
        found[mark] = kind
    return f"[masked {shown} #{mark}]"


def _plain(name: Any) -> str:
    return name.lower().replace("_", "-") if isinstance(name, str) else ""
