"""Keys in known formats: found, named, never repeated."""

from __future__ import annotations

import pytest

from ctxinspect.text.secrets import find_secrets

FILL = "Qz7" * 40
SAMPLES = {
    "Anthropic API key": "sk-ant-api03-" + FILL[:60],
    "OpenAI API key": "sk-proj-" + FILL[:40],
    "OpenRouter API key": "sk-or-v1-" + "0a" * 32,
    "AWS access key id": "AKIA" + "ABCD" * 4,
    "GitHub token": "ghp_" + FILL[:36],
    "GitLab token": "glpat-" + FILL[:20],
    "Slack token": "xoxb-" + "123456789012-" + FILL[:20],
    "Slack webhook": "https://hooks.slack.com/services/T0AAA/B0BBB/" + FILL[:24],
    "Google API key": "AIza" + FILL[:35],
    "Google OAuth token": "ya29." + FILL[:40],
    "Google client secret": "GOCSPX-" + FILL[:28],
    "Stripe key": "sk_" + "live_" + FILL[:24],
    "Hugging Face token": "hf_" + FILL[:34],
    "npm token": "npm_" + FILL[:36],
    "PyPI token": "pypi-" + "AgEIcHlwaS5vcmc" + FILL[:60],
    "SendGrid key": "SG." + FILL[:22] + "." + FILL[:43],
    "JSON Web Token": "eyJ" + FILL[:20] + ".eyJ" + FILL[:20] + "." + FILL[:20],
}


@pytest.mark.parametrize("kind", sorted(SAMPLES))
def test_a_key_is_found_and_only_its_prefix_is_shown(kind):
    (secret,) = find_secrets(f'export KEY="{SAMPLES[kind]}"\n')
    assert secret.kind == kind
    assert "Qz7" not in secret.masked
    assert "ABCD" not in secret.masked
    assert str(len(SAMPLES[kind])) in secret.masked


@pytest.mark.parametrize("kind", ["RSA ", "OPENSSH ", "EC ", ""])
def test_the_head_of_a_private_key_is_enough(kind):
    (secret,) = find_secrets("-----BEGIN " + kind + "PRIVATE KEY-----\nMIIE")
    assert secret.kind == "private key"
    assert "MIIE" not in secret.masked


def test_every_secret_is_named_once_at_its_first_place():
    first, second = "ghp_" + "a" * 36, "ghp_" + "b" * 36
    assert [secret.start for secret in find_secrets(f"{first} {second} {first}")] == [0, 41]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the risk-assessment-of-everything-and-more",
        "task-abcdefghijklmnopqrstuvwxyz0123456789",
        "sk-your-key-here",
        "AKIA is a prefix",
        "-----BEGIN PUBLIC KEY-----",
        "eyJhbGciOiJIUzI1NiJ9 alone",
        "commit 0123456789abcdef0123456789abcdef01234567",
    ],
)
def test_what_only_looks_like_a_key_is_left_alone(text):
    assert list(find_secrets(text)) == []
