"""Small corpora, a tiny encoder and a retrieval server for tests of searching."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from realhop_kg.search.index import SearchIndex, build_search_index

PASSAGES = [
    ("1", "Korrum", "Korrum is a town on the river Imbrel."),
    ("2", "Imbrel", "The Imbrel is a river that rises in Kestrane."),
    ("3", "Winsel", "Winsel is a town of glass makers."),
    ("4", "Kestrane", "Kestrane is a region of lakes; its seat is Marrowick."),
]


def dpr_file(folder: Path, rows: list[tuple[str, ...]] = PASSAGES) -> Path:  # type: ignore[assignment]
    path = folder / "psgs.tsv"
    lines = ["id\ttext\ttitle", *("\t".join((row[0], row[2], row[1])) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def index_of(folder: Path) -> SearchIndex:
    build_search_index(dpr_file(folder), folder / "index", "dpr", created_by="test")
    return SearchIndex(folder / "index")


def zipped(path: Path) -> Path:
    packed = path.with_suffix(f"{path.suffix}.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    return packed


def tiny_encoder(folder: Path, words: list[str], dimensions: int = 8) -> Path:
    """Write an ONNX model that looks up one vector a word, with its tokenizer."""
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import Whitespace

    folder.mkdir(parents=True)
    vocabulary = {word: at for at, word in enumerate(["[PAD]", "[UNK]", *words])}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = Lowercase(), Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    table = np.random.default_rng(7).normal(size=(len(vocabulary), dimensions)).astype(np.float32)
    # The table stands for the layers: hidden states are (texts, tokens, dimensions).
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["b", "t"])
    mask = helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["b", "t"])
    out = helper.make_tensor_value_info(
        "last_hidden_state", TensorProto.FLOAT, ["b", "t", dimensions]
    )
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    graph = helper.make_graph(
        nodes, "tiny", [ids, mask], [out], [numpy_helper.from_array(table, "table")]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))
    return folder


Answer = Callable[[dict[str, Any]], tuple[int, object]]


@contextmanager
def served(answer: Answer) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve `POST /retrieve` with a function for the length of a `with` statement.

    Its answers are (status, JSON value or bytes); status 0 drops the connection.
    """
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({"path": self.path, **body})
            status, value = answer(body)
            if not status:
                self.connection.close()
                return
            content = value if isinstance(value, bytes) else json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
