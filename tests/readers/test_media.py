"""Payloads: media type, decoded bytes, digest; the bytes themselves are gone."""

from __future__ import annotations

import base64
import hashlib

import pytest

from ctxinspect.readers.media import data_url_facts, kind_of, media_facts


@pytest.mark.parametrize("size", [0, 1, 2, 3, 3000])
def test_base64_is_measured_decoded_padded_or_not_in_either_alphabet(size: int):
    data = bytes(range(256)) * 12
    data = data[:size]
    digest = hashlib.sha256(data).hexdigest()
    plain = base64.b64encode(data).decode()
    for payload in (plain, plain.rstrip("="), base64.urlsafe_b64encode(data).decode(), "\n".join(plain)):
        assert media_facts(payload, "image/png") == ("image/png", size, digest)


def test_a_data_url_carries_its_type_and_other_urls_are_none():
    assert data_url_facts("data:image/jpeg;base64,QUJD") == ("image/jpeg", 3, hashlib.sha256(b"ABC").hexdigest())
    assert data_url_facts("data:,hello")[:2] == ("text/plain", 5)  # type: ignore[index]
    assert data_url_facts("https://example.org/x.png") is None


def test_what_is_no_base64_is_measured_as_it_stands():
    assert media_facts("not base64!", "")[1] == 11


def test_the_family_of_a_media_type_is_its_kind():
    assert [kind_of(name) for name in ("image/png", "audio/wav", "application/pdf", "")] == [
        "image",
        "audio",
        "file",
        "file",
    ]
