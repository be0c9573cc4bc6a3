"""Keys and tokens in formats that their issuers publish, found in text and named without being repeated.

Only formats with a telling prefix or frame are known; a password in a sentence is not found. A masked secret shows the
prefix that names its kind and how long it is, never more. What `text/masking.py` wrote in a secret's place is found as
that secret, so that a judgement on masked text is the one on the text itself.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = [
    "KEY_BODY",
    "SECRET_KINDS",
    "TELLING",
    "Secret",
    "find_secrets",
    "fingerprint",
    "may_hold_secrets",
    "replace_secrets",
]

KEY_BODY = (
    r"(?:(?:[A-Za-z0-9+/=\s:,.()\\]|-(?!----))*+-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{16,})*+(?:(?:\s|\\[nr])++[A-Za-z0-9+/=]++(?=[\"'\s]*\Z))?)"
)
"""What follows the first line of a private key: all up to its last line, else as far as it looks like one."""

_FORMATS: tuple[tuple[str, str, str], ...] = (
    ("anthropic", "Anthropic API key", r"sk-ant-[A-Za-z0-9_-]{20,}"),
    ("openrouter", "OpenRouter API key", r"sk-or-v1-[0-9a-f]{32,}"),
    ("openai_project", "OpenAI API key", r"sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{20,}"),
    ("openai", "OpenAI API key", r"sk-[A-Za-z0-9]{20,}"),
    ("aws", "AWS access key id", r"(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Z])"),
    ("github_pat", "GitHub token", r"github_pat_[A-Za-z0-9_]{22,}"),
    ("github", "GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,}"),
    ("gitlab", "GitLab token", r"glpat-[A-Za-z0-9_-]{20,}"),
    ("slack_app", "Slack token", r"xapp-[0-9]-[A-Za-z0-9-]{10,}"),
    ("slack", "Slack token", r"xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    (
        "slack_hook",
        "Slack webhook",
        r"https://hooks\.slack\.com/services/T[A-Za-z0-9_]+/B[A-Za-z0-9_]+/[A-Za-z0-9]{16,}",
    ),
    ("google", "Google API key", r"AIza[0-9A-Za-z_-]{35}"),
    ("google_oauth", "Google OAuth token", r"ya29\.[0-9A-Za-z_-]{20,}"),
    ("google_client", "Google client secret", r"GOCSPX-[0-9A-Za-z_-]{28}"),
    ("stripe", "Stripe key", r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("huggingface", "Hugging Face token", r"hf_[A-Za-z0-9]{30,}"),
    ("npm", "npm token", r"npm_[A-Za-z0-9]{36}"),
    ("pypi", "PyPI token", r"pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}"),
    ("sendgrid", "SendGrid key", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    ("jwt", "JSON Web Token", r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    ("private_key", "private key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----" + KEY_BODY),
)
TELLING: tuple[str, ...] = (
    r"-(?:(?<=sk-)|(?<=glpat-)|(?<=xapp-)|(?<=xox[abeoprs]-)|(?<=GOCSPX-)|(?<=pypi-)|(?<=-----)BEGIN)",
    r"_(?:(?<=gh[pousr]_)|(?<=hf_)|(?<=npm_)|(?<=github_)pat_|(?<=k_)(?:live|test)_)",
    r"\.(?:(?<=ya29\.)|(?<=SG\.)|(?<=hooks\.)slack)",
    r"A(?:KIA|SIA|Iza)",
    r"J(?<=eyJ)",
    r"\[(?:masked)",
)
"""Every known secret holds one of these. Each begins with one character, which is searched for at the speed of memory."""

_KINDS = {name: kind for name, kind, _ in _FORMATS}

SECRET_KINDS: tuple[str, ...] = tuple(dict.fromkeys(kind for _, kind, _ in _FORMATS))
"""What can be recognised, each named once."""

_SECRET = re.compile(
    rf"(?P<mask>\[masked (?P<kind>{'|'.join(map(re.escape, SECRET_KINDS))}): (?P<shown>[^\[\]]*) #[0-9a-f]{{8}}\])"
    r"|(?:(?<![A-Za-z0-9_])|(?<=\\[nrt])|(?<=\\u[0-9A-Fa-f]{4}))(?:"
    + "|".join(f"(?P<{name}>{pattern})" for name, pattern in ((n, p) for n, _, p in _FORMATS))
    + ")"
)
_PREFIX = re.compile(
    r"sk-ant-|sk-or-v1-|sk-(?:proj|svcacct|admin)-|sk-|AKIA|ASIA|github_pat_|gh[pousr]_|glpat-|xapp-|xox[abeoprs]-"
    r"|https://hooks\.slack\.com/services/|AIza|ya29\.|GOCSPX-|[rs]k_(?:live|test)_|hf_|npm_|pypi-|SG\.|eyJ"
)
_HEAD = re.compile(r"-----BEGIN [A-Z0-9 ]+-----")
_HINTS = tuple(map(re.compile, TELLING))
_SPACE = re.compile(r"\s|\\[nrt]")
_FINGERPRINT = 8


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret that was found: its kind, its masked form, and where it begins (code points)."""

    kind: str
    masked: str
    start: int


def may_hold_secrets(text: str) -> bool:
    """False where no known secret can be in the text; cheap."""
    return any(hint.search(text) for hint in _HINTS)


def find_secrets(text: str) -> Iterator[Secret]:
    """Each secret once, in order of its first place. The text is scanned once."""
    if not may_hold_secrets(text):
        return
    seen: set[str] = set()
    for match in _SECRET.finditer(text):
        if match.group() in seen:
            continue
        seen.add(match.group())
        yield _secret(match)


def replace_secrets(text: str, mask: Callable[[Secret, str], str]) -> str:
    """The text with `mask(secret, its text)` in place of each secret; what is masked already stays as it is."""
    if not may_hold_secrets(text):
        return text
    return _SECRET.sub(lambda match: match["mask"] or mask(_secret(match), match.group()), text)


def fingerprint(secret: str) -> str:
    """The first 8 hex digits of the SHA-256 of its UTF-8 bytes: tells two secrets apart, gives neither away.

    White space and its JSON escapes do not count, so that a key kept as a JSON string is the same key.
    """
    bare = _SPACE.sub("", secret)
    return hashlib.sha256(bare.encode("utf-8", errors="surrogatepass")).hexdigest()[:_FINGERPRINT]


def _secret(match: re.Match[str]) -> Secret:
    if match["mask"]:
        return Secret(match["kind"], match["shown"], match.start())
    return Secret(_KINDS[match.lastgroup or ""], _mask(match.group()), match.start())


def _mask(secret: str) -> str:
    head = _HEAD.match(secret)
    if head is not None:
        return f"{head.group()} ..."
    prefix = _PREFIX.match(secret)
    return f"{prefix.group() if prefix else ''}... ({len(secret)} characters)"
