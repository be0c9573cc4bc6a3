"""Secrets leave a text or a JSON value; what stands in their place is found as the same secret."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.text.masking import HEADER_KIND, mask_joined, mask_text, mask_value, raw_may_hold_secrets
from ctxinspect.text.secrets import find_secrets
from tests.text.test_secrets import SAMPLES

BEARER = "q7Wm2Zx9Lr4Tn8Kp1Vb6"
PEM = "-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEq7Wm2Zx9Lr4Tn8Kp1Vb6\n" * 3 + "-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize("kind", sorted(SAMPLES))
def test_a_masked_key_is_found_as_the_key_it_stands_for(kind: str) -> None:
    text = f'first "{SAMPLES[kind]}" and again {SAMPLES[kind]}.'
    masked = mask_text(text)
    assert SAMPLES[kind] not in masked
    assert "Qz7Qz7" not in masked
    assert [(s.kind, s.masked) for s in find_secrets(masked)] == [(s.kind, s.masked) for s in find_secrets(text)]


@pytest.mark.parametrize("sample", [*sorted(SAMPLES.values()), PEM, f"Authorization: Bearer {BEARER}"])
def test_masking_what_is_masked_changes_nothing_and_json_stays_json(sample: str) -> None:
    masked = mask_text(sample)
    assert mask_text(masked) == masked != sample
    assert not set(masked) & set('"\\\n')
    assert json.loads(mask_text(json.dumps({"a": f"x\n{sample}\ny"}))) == {"a": f"x\n{masked}\ny"}


def test_two_keys_of_one_kind_are_told_apart_and_one_key_twice_is_not() -> None:
    found: dict[str, str] = {}
    first, second = "ghp_" + "a1" * 18, "ghp_" + "b2" * 18
    one, two, three = mask_text(f"{first} {second} {first}", found).replace("] [", "]|[").split("|")
    assert one == three != two
    assert sorted(found.values()) == ["GitHub token", "GitHub token"]


def test_the_body_of_a_private_key_goes_too_and_the_words_around_it_stay() -> None:
    masked = mask_text(f"before\n{PEM}\nafter the key")
    assert "MIIE" not in masked
    assert masked.startswith("before\n[masked private key: -----BEGIN RSA PRIVATE KEY----- ... #")
    assert masked.endswith("]\nafter the key")


@pytest.mark.parametrize("newline", ["\n", "\\n", "\r\n"])
def test_a_private_key_that_is_cut_short_is_masked_as_far_as_it_goes(newline: str) -> None:
    body = newline.join(["-----BEGIN PRIVATE KEY-----", "MIIEq7Wm2Zx9Lr4Tn8Kp1Vb6", "Zx9Lr4"])
    assert "MIIE" not in mask_text(body)
    assert "Zx9Lr4" not in mask_text(body)


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: Bearer {BEARER}",
        f"curl -H 'authorization: Bearer {BEARER}' https://example.org",
        f'{{"Authorization": "Bearer {BEARER}"}}',
        f'"{{\\"Authorization\\": \\"Bearer {BEARER}\\"}}"',
        f"X-Api-Key: {BEARER}",
        f"AUTHORIZATION: BASIC {BEARER}==",
    ],
)
def test_the_credential_of_a_header_line_is_masked_whatever_its_format(text: str) -> None:
    masked = mask_text(text)
    assert BEARER not in masked
    assert HEADER_KIND in masked
    assert masked[:6] == text[:6]


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer <your token here>",
        "Authorization: Bearer ${TOKEN}",
        "authorization basic-understanding-required",
        "set the x-api-key: header-of-the-request",
        "the task-force at risk-assessment",
        "[masked balls] are held at night",
    ],
)
def test_what_only_talks_about_credentials_is_left_alone(text: str) -> None:
    assert mask_text(text) == text


def test_headers_in_json_are_masked_by_their_name_in_both_shapes() -> None:
    value = {
        "headers": {"Authorization": f"Bearer {BEARER}", "X-API-Key": [BEARER], "accept": "text/event-stream"},
        "list": [{"name": "authorization", "value": BEARER}, {"name": "accept", "value": BEARER}],
        "schema": {"api_key": {"type": "string"}},
    }
    made = mask_value(value)
    assert made["headers"]["Authorization"].startswith("Bearer [masked authorization header: ... (20 characters) #")
    assert BEARER not in json.dumps(made["headers"])
    assert BEARER not in made["list"][0]["value"]
    assert made["list"][1]["value"] == BEARER
    assert made["schema"] == {"api_key": {"type": "string"}}


def test_a_key_among_the_keys_of_an_object_is_masked_and_the_order_stays() -> None:
    made = mask_value({"a": 1, SAMPLES["GitHub token"]: 2, "b": 3})
    assert list(made.values()) == [1, 2, 3]
    assert SAMPLES["GitHub token"] not in json.dumps(made)


@pytest.mark.parametrize("kind", sorted(SAMPLES))
def test_no_key_slips_past_the_look_at_raw_bytes_even_behind_escapes(kind: str) -> None:
    text = json.dumps({"a": SAMPLES[kind]})
    assert raw_may_hold_secrets(text.encode())
    escaped = text.replace("-", "\\u002d").replace("_", "\\u005f").replace("/", "\\/").replace(".", "\\u002e")
    assert raw_may_hold_secrets(escaped.encode())
    assert SAMPLES[kind] not in json.dumps(mask_value(json.loads(escaped)))


def test_ordinary_lines_are_passed_by_unread() -> None:
    assert not raw_may_hold_secrets(b'{"role":"user","content":"a task, a risk, an asset, a hobby; see README.md"}')


def test_nesting_beyond_the_recursion_limit_is_masked_too() -> None:
    value: object = SAMPLES["npm token"]
    for _ in range(5000):
        value = [value]
    made = mask_value(value)
    while isinstance(made, list):
        made = made[0]
    assert made != SAMPLES["npm token"]


@given(st.text(max_size=300))
def test_masking_is_idempotent_and_keeps_what_is_found(text: str) -> None:
    masked = mask_text(text)
    assert mask_text(masked) == masked
    assert [s.kind for s in find_secrets(masked)] == [s.kind for s in find_secrets(text)]


def test_of_a_secret_that_fragments_cut_the_rest_goes_too_and_words_stay() -> None:
    key = "sk-" + "ant-" + "Qz7Rk2" * 8
    first, rest = key[:30], key[30:]
    made = mask_joined({"text": [f"{mask_text(first)}{rest}. Then more"]})
    assert f"({len(key)} characters)" in made["text"][0]
    assert rest not in made["text"][0]
    assert made["text"][0].endswith("]. Then more")
    pem = "-----BEGIN PRIVATE " + "KEY-----"
    body = "\n".join(["QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo="] * 3)
    whole = mask_joined(f"{mask_text(pem)}\n{body}\n-----END PRIVATE KEY-----\nafter")
    assert "QUJD" not in whole
    assert whole.endswith("after")


def test_joining_leaves_what_no_fragment_cut_as_masking_does() -> None:
    text = f"a {'AKIA' + 'Q7W3E9R2T5Y1U8I4'} b"
    assert mask_joined(text) == mask_text(text)
    assert mask_joined([1, None, {"a": "b"}]) == [1, None, {"a": "b"}]
