from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from realhop_kg.errors import InputError
from realhop_kg.llm.records import Message, ReplyStatus
from realhop_kg.llm.replies import ReplyStore
from tests.llm.asked import reply, request


def test_a_reply_comes_back_whole_after_the_store_was_closed(tmp_path: Path) -> None:
    asked = request("Where is \ud83d Calder?")
    given = reply(asked, 'In Orm \udcff, "said" he.', raw='{"a": "\udcff"}')
    with ReplyStore(tmp_path / "r.sqlite", write=True) as store:
        assert store.get(asked.key) is None
        assert store.put(asked, given).result() is True
    with ReplyStore(tmp_path / "r.sqlite") as store:
        found = store.get(asked.key)
        assert found is not None
        assert found.received
        left_out = {"raw": given.raw, "attempts": given.attempts}
        assert found.model_copy(update={"received": "", **left_out}) == given
        (whole,) = store.replies(asked.key)
        assert whole.model_copy(update={"received": ""}) == given
        assert store.request(asked.key) == asked


def test_a_request_has_one_good_reply_and_the_first_stays(tmp_path: Path) -> None:
    asked = request()
    with ReplyStore(tmp_path / "r.sqlite", write=True) as store:
        assert store.put(asked, reply(asked, "first")).result() is True
        assert store.put(asked, reply(asked, "second")).result() is False
        assert [each.text for each in store.replies(asked.key)] == ["first"]


@pytest.mark.parametrize("status", [s for s in ReplyStatus if s is not ReplyStatus.GOOD])
def test_an_unusable_reply_is_kept_and_never_given_out(tmp_path: Path, status: ReplyStatus) -> None:
    asked = request()
    with ReplyStore(tmp_path / "r.sqlite", write=True) as store:
        store.put(asked, reply(asked, "In O", status=status)).result()
        store.put(asked, reply(asked, "In O", status=status)).result()
        assert store.get(asked.key) is None
        store.put(asked, reply(asked, "In Orm.")).result()
        assert [each.status for each in store.replies(asked.key)] == [status, status, "good"]
        found = store.get(asked.key)
        assert found is not None
        assert found.text == "In Orm."


def test_a_text_that_many_requests_share_is_kept_once(tmp_path: Path) -> None:
    carrier = "A long carrier. " * 10_000
    path = tmp_path / "r.sqlite"
    with ReplyStore(path, write=True) as store:
        for number in range(200):
            messages = (
                Message(role="user", content=carrier),
                Message(role="user", content=f"question {number}"),
            )
            asked = request(messages=messages)
            store.put(asked, reply(asked))
    assert path.stat().st_size < 400_000
    with ReplyStore(path) as store:
        assert store.request(asked.key).messages[0].content == carrier


def test_replies_of_many_threads_are_all_kept(tmp_path: Path) -> None:
    def work(store: ReplyStore, part: int) -> None:
        for number in range(100):
            asked = request(f"{part} {number // 2}")  # each request twice
            store.put(asked, reply(asked, f"{part} {number // 2}")).result()
            assert store.get(asked.key) is not None

    with ReplyStore(tmp_path / "r.sqlite", write=True) as store:
        threads = [threading.Thread(target=work, args=(store, part)) for part in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (count,) = store.connection.execute("SELECT count(*) FROM replies").fetchone()
    assert count == 8 * 50


def test_a_second_writer_is_refused_and_a_reader_is_not(tmp_path: Path) -> None:
    path = tmp_path / "r.sqlite"
    asked = request()
    with ReplyStore(path, write=True) as store:
        store.put(asked, reply(asked)).result()
        with (
            pytest.raises(InputError, match="being written by another run"),
            ReplyStore(path, write=True),
        ):
            pass
        with ReplyStore(path) as reader:
            assert reader.get(asked.key) is not None
    with ReplyStore(path, write=True) as store:
        assert store.get(asked.key) is not None


def test_what_is_no_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no file"), ReplyStore(tmp_path / "none.sqlite"):
        pass
    text = tmp_path / "text.sqlite"
    text.write_text("not a database, but long enough to look into" * 100)
    with pytest.raises(InputError, match="cannot be used as reply store"), ReplyStore(text):
        pass
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE t (a)")
    connection.close()
    for write in (False, True):
        with (
            pytest.raises(InputError, match="is no reply store"),
            ReplyStore(other, write=write),
        ):
            pass
    with ReplyStore(tmp_path / "new.sqlite", write=True):
        pass
    with sqlite3.connect(tmp_path / "new.sqlite") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with (
        pytest.raises(InputError, match="newer realhop-kg"),
        ReplyStore(tmp_path / "new.sqlite"),
    ):
        pass


def test_a_reply_to_another_request_is_refused(tmp_path: Path) -> None:
    with (
        ReplyStore(tmp_path / "r.sqlite", write=True) as store,
        pytest.raises(ValueError, match="another request"),
    ):
        store.put(request("a"), reply(request("b")))


WRITER = """
import os, sys
from pathlib import Path
from realhop_kg.llm.replies import ReplyStore
from tests.llm.asked import reply, request
with ReplyStore(Path(sys.argv[1]), write=True) as store:
    start = int(sys.argv[2])
    print("ready", flush=True)
    for number in range(start, start + 100_000):
        asked = request(f"question {number}")
        if store.get(asked.key) is None:
            store.put(asked, reply(asked, f"answer {number}")).result()
        os.write(1, f"{number}\\n".encode())
"""


def test_a_killed_writer_loses_no_reply_it_acted_on_and_doubles_none(tmp_path: Path) -> None:
    path, script = tmp_path / "r.sqlite", tmp_path / "writer.py"
    script.write_text(WRITER)
    draw = random.Random(5)
    told: set[int] = set()
    for _ in range(20):
        # Each run begins a little before the end of the last one, so that requests come again.
        start = max(0, max(told, default=0) - 5)
        process = subprocess.Popen(
            [sys.executable, str(script), str(path), str(start)],
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": ":".join(sys.path)},
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(draw.uniform(0, 0.15))
        process.send_signal(signal.SIGKILL)
        out, _ = process.communicate()
        assert process.returncode == -signal.SIGKILL
        told |= {int(line) for line in out.splitlines(keepends=True) if line.endswith("\n")}
    assert len(told) > 20
    with ReplyStore(path, write=True) as store:
        assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        for number in told:
            asked = request(f"question {number}")
            assert [each.text for each in store.replies(asked.key)] == [f"answer {number}"]
        (doubled,) = store.connection.execute(
            "SELECT count(*) - count(DISTINCT key) FROM replies"
        ).fetchone()
        assert doubled == 0
