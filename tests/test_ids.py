from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from realhop_kg.ids import digest, item_key, rng

KEYS = st.lists(st.one_of(st.integers(), st.text(alphabet="ab/ ")), min_size=1, max_size=4)


def test_a_digest_is_the_same_on_every_machine() -> None:
    # Computed once by `printf '7\x1fnames' | sha256sum`.
    assert digest(7, "names") == "f336ebadfd1d79c0"
    assert digest(7, "names", length=64).startswith("f336ebadfd1d79c0")


@pytest.mark.parametrize(("left", "right"), [(("a", "b"), ("ab",)), (("a", "bc"), ("ab", "c"))])
def test_parts_do_not_run_into_each_other(left: tuple[str, ...], right: tuple[str, ...]) -> None:
    assert digest(*left) != digest(*right)


@given(st.integers(), KEYS)
def test_the_same_seed_and_key_give_the_same_draws(seed: int, key: list[object]) -> None:
    first, second = rng(seed, *key), rng(seed, *key)
    assert [first.random() for _ in range(3)] == [second.random() for _ in range(3)]


@given(st.integers(), st.integers(), KEYS, KEYS)
def test_another_seed_or_key_gives_other_draws(
    seed: int, other: int, key: list[object], other_key: list[object]
) -> None:
    if (seed, list(map(str, key))) != (other, list(map(str, other_key))):
        assert rng(seed, *key).getrandbits(64) != rng(other, *other_key).getrandbits(64)


def test_draws_from_one_generator_leave_another_alone() -> None:
    alone = rng(0, "item", "names").random()
    busy, other = rng(0, "item", "hosts"), rng(0, "item", "names")
    busy.random()
    assert other.random() == alone


def test_an_item_key_tells_datasets_apart() -> None:
    assert item_key("musique", "2hop__1_2") == "musique/2hop__1_2"
    assert item_key("musique", "1") != item_key("jsonl", "1")
