from __future__ import annotations

from collections import Counter

from realhop_kg.cli.app import app


def test_no_command_is_registered_twice() -> None:
    names = [command.name for command in app.registered_commands]
    names += [group.name for group in app.registered_groups]
    assert [name for name, count in Counter(names).items() if count > 1] == []
