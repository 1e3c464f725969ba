"""A server for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.lsp.client import Client


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    pytest.importorskip("pygls", reason="the language server needs pygls")
    client = Client()
    client.initialise()
    yield client
    assert client.leave() == 0, "".join(client.errors)
