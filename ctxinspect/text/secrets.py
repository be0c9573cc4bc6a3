"""Keys and tokens in formats that their issuers publish, found in text and named without being repeated.

Only formats with a telling prefix or frame are known; a password in a sentence is not found. A masked secret shows the
prefix that names its kind and how long it is, never more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["SECRET_KINDS", "Secret", "find_secrets"]

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
    ("private_key", "private key", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
)
_KINDS = {name: kind for name, kind, _ in _FORMATS}
_SECRET = re.compile(
    r"(?<![A-Za-z0-9_])(?:"
    + "|".join(f"(?P<{name}>{pattern})" for name, pattern in ((n, p) for n, _, p in _FORMATS))
    + ")"
)
_PREFIX = re.compile(
    r"sk-ant-|sk-or-v1-|sk-(?:proj|svcacct|admin)-|sk-|AKIA|ASIA|github_pat_|gh[pousr]_|glpat-|xapp-|xox[abeoprs]-"
    r"|https://hooks\.slack\.com/services/|AIza|ya29\.|GOCSPX-|[rs]k_(?:live|test)_|hf_|npm_|pypi-|SG\.|eyJ"
)

SECRET_KINDS: tuple[str, ...] = tuple(dict.fromkeys(kind for _, kind, _ in _FORMATS))
"""What can be recognised, each named once."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret that was found: its kind, its masked form, and where it begins (code points)."""

    kind: str
    masked: str
    start: int


def find_secrets(text: str) -> Iterator[Secret]:
    """Each secret once, in order of its first place. The text is scanned once."""
    seen: set[str] = set()
    for match in _SECRET.finditer(text):
        if match.group() in seen:
            continue
        seen.add(match.group())
        yield Secret(_KINDS[match.lastgroup or ""], _mask(match.group()), match.start())


def _mask(secret: str) -> str:
    if secret.startswith("-----BEGIN"):
        return f"{secret} ..."
    prefix = _PREFIX.match(secret)
    return f"{prefix.group() if prefix else ''}... ({len(secret)} characters)"
