"""Payloads become what they were, how many bytes and their SHA-256 the moment they are met; the bytes are not kept."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from typing import Literal

__all__ = ["MediaFacts", "data_url_facts", "kind_of", "media_facts"]

MediaKind = Literal["image", "file", "audio"]
MediaFacts = tuple[str, int, str]
"""Media type, decoded bytes, SHA-256 in hex."""

_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)?((?:;[\w.+=-]+)*),", re.ASCII)


def kind_of(media_type: str) -> MediaKind:
    """Whether a media type is an image, audio, or else a file."""
    family = media_type.split("/", 1)[0].lower()
    return "image" if family == "image" else "audio" if family == "audio" else "file"


def media_facts(payload: str, media_type: str = "") -> MediaFacts:
    """Facts of a base64 payload (either alphabet, padded or not). What is no base64 is measured as its UTF-8 bytes."""
    compact = "".join(payload.split()) if any(c in payload for c in " \n\r\t") else payload
    try:
        plain = compact.replace("-", "+").replace("_", "/").rstrip("=")
        data = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        data = payload.encode("utf-8", errors="surrogatepass")
    return media_type, len(data), hashlib.sha256(data).hexdigest()


def data_url_facts(url: str) -> MediaFacts | None:
    """Facts of a `data:` URL, or None where it is no such URL."""
    head = _DATA_URL.match(url)
    if head is None:
        return None
    media_type = head.group(1) or "text/plain"
    if ";base64" in head.group(2):
        return media_facts(url[head.end() :], media_type)
    data = url[head.end() :].encode("utf-8", errors="surrogatepass")
    return media_type, len(data), hashlib.sha256(data).hexdigest()
