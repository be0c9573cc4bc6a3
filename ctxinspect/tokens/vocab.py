"""The two tiktoken encodings, built from the package's own data: no network, no cache directory, no environment.

Each vocabulary is verified by the SHA-256 that tiktoken itself expects before it is used, and loaded only when first
asked for (about 110 ms for cl100k_base, 260 ms for o200k_base).
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import tiktoken

__all__ = ["SHA256", "EncodingName", "encoding", "encoding_of_model"]

EncodingName = Literal["cl100k_base", "o200k_base"]

SHA256: dict[str, str] = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
"""SHA-256 of the uncompressed vocabulary files, as in tiktoken's own `openai_public`."""

# The split patterns are part of the encodings' definition (tiktoken 0.14, openai_public).
_PATTERNS: dict[str, str] = {
    "cl100k_base": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
    ),
    "o200k_base": "|".join(
        [
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        ]
    ),
}
_SPECIAL: dict[str, dict[str, int]] = {
    "cl100k_base": {"<|endoftext|>": 100257},
    "o200k_base": {"<|endoftext|>": 199999},
}


@cache
def encoding(name: EncodingName) -> tiktoken.Encoding:
    """The encoding, built from package data. Raises RuntimeError where the data is not what tiktoken expects."""
    import tiktoken  # noqa: PLC0415 - 35 ms that `--version` must not pay

    packed = resources.files("ctxinspect.tokens").joinpath("data").joinpath(f"{name}.tiktoken.gz").read_bytes()
    data = gzip.decompress(packed)
    if hashlib.sha256(data).hexdigest() != SHA256[name]:
        msg = f"the {name} vocabulary in this installation is damaged; reinstall ctxinspect"
        raise RuntimeError(msg)
    ranks = {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in data.splitlines())}
    return tiktoken.Encoding(name, pat_str=_PATTERNS[name], mergeable_ranks=ranks, special_tokens=_SPECIAL[name])


def encoding_of_model(model: str) -> str | None:
    """The encoding that tiktoken's own model map gives for this model, or None."""
    import tiktoken  # noqa: PLC0415

    try:
        return tiktoken.encoding_name_for_model(model)
    except KeyError:
        return None
