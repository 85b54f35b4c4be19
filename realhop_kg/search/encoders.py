"""Turns texts into vectors: models as ONNX files or through sentence-transformers.

Source: Wang et al., Text Embeddings by Weakly-Supervised Contrastive Pre-training (E5): `query: `
and `passage: ` before the texts, mean pooling over tokens, L2 norm, inner product.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from realhop_kg.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Encoder", "OnnxEncoder", "SentenceTransformerEncoder", "open_encoder", "unit"]

_LONGEST = 512
"""Tokens of a text that are encoded."""
_FILES = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")


class Encoder(Protocol):
    """Encodes texts as they are given, prefix included."""

    @property
    def name(self) -> str:
        """What manifests call it."""
        ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector of length 1 per text: (texts, dimensions)."""
        ...


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors of length 1; a zero vector stays zero."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: NDArray[np.float32] = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return scaled


def open_encoder(model: str) -> Encoder:
    """Return the encoder of a folder with an ONNX model, or of a sentence-transformers model.

    Args:
        model: a folder with `model.onnx` and `tokenizer.json`, or a name or folder that
            sentence-transformers knows.

    Raises:
        InputError: if the model cannot be loaded, naming the package that is missing.
    """
    folder = Path(model)
    file = next((folder / name for name in _FILES if (folder / name).is_file()), None)
    if file is not None:
        return OnnxEncoder(folder, file)
    return SentenceTransformerEncoder(model)


class OnnxEncoder:
    """A transformer as an ONNX file, with its tokenizer beside it.

    Attributes:
        name: name of its folder.
    """

    def __init__(self, folder: Path, file: Path) -> None:
        try:
            from onnxruntime import InferenceSession
            from tokenizers import Tokenizer
        except ImportError as error:
            raise InputError(
                f"{folder} needs onnxruntime and tokenizers; pip install 'realhop-kg[dense]'"
            ) from error
        self.name = folder.name
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._session = InferenceSession(str(file), providers=["CPUExecutionProvider"])
        except Exception as error:  # both libraries raise bare exceptions of their own
            raise InputError(f"{folder} holds no model that can be loaded: {error}") from error
        self._tokenizer.enable_truncation(_LONGEST)
        self._tokenizer.enable_padding()
        self._inputs = {each.name for each in self._session.get_inputs()}

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the mean of the last hidden states of each text's tokens, at length 1."""
        import numpy as np

        encoded = self._tokenizer.encode_batch(list(texts))
        given: dict[str, Any] = {
            "input_ids": [each.ids for each in encoded],
            "attention_mask": [each.attention_mask for each in encoded],
            "token_type_ids": [each.type_ids for each in encoded],
        }
        arrays = {
            name: np.array(value, dtype=np.int64)
            for name, value in given.items()
            if name in self._inputs
        }
        out = self._session.run(None, arrays)[0]
        if out.ndim == 2:  # the model pools by itself
            return unit(out)
        mask = np.array(given["attention_mask"], dtype=np.float32)[:, :, None]
        return unit((out * mask).sum(axis=1) / np.maximum(mask.sum(axis=1), 1e-9))


class SentenceTransformerEncoder:
    """A model of sentence-transformers.

    Attributes:
        name: as it was named.
    """

    def __init__(self, name: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise InputError(
                f"{name} is no folder with model.onnx, and sentence-transformers is not "
                "installed; pip install sentence-transformers, or name such a folder"
            ) from error
        self.name = name
        try:
            self._model = SentenceTransformer(name)
        except Exception as error:  # whatever the hub or the files say
            raise InputError(f"{name} cannot be loaded: {error}") from error

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the model's own pooled vectors, at length 1."""
        import numpy as np

        vectors = self._model.encode(
            list(texts), convert_to_numpy=True, show_progress_bar=False, normalize_embeddings=False
        )
        return unit(np.asarray(vectors, dtype=np.float32))
