"""The file of the table, and what it makes of a text.

A 32-bit length, a JSON header of that length, the words, one a line; then of each row (words first,
then buckets of n-grams) a 32-bit scale; then the rows, 4 bits a number, the first of two numbers in
the lower half of the byte, 8 above what it means. All is little-endian; blanks behind the header
bring the scales to an address that 4 divides.
"""

import json
from pathlib import Path

import numpy as np

from words import find_buckets, split_words

# Of the largest number of a row, to be tried as what the largest code means.
SCALES = (0.55, 0.65, 0.75, 0.85, 1.0)


def quantize(rows):
    """Scales and codes (-8 to 7) of least square error."""
    largest = np.abs(rows).max(1)
    best = np.full(len(rows), np.inf)
    scales = np.zeros(len(rows), np.float32)
    for share in SCALES:
        tried = (largest * share / 7 + 1e-12).astype(np.float32)
        codes = np.clip(np.rint(rows / tried[:, None]), -8, 7)
        error = ((codes * tried[:, None] - rows) ** 2).sum(1)
        better = error < best
        best[better], scales[better] = error[better], tried[better]
    return scales, np.clip(np.rint(rows / scales[:, None]), -8, 7).astype(np.int8)


def pack_table(words, rows, bucket_rows, **more):
    """Bytes of the file.
    @param more goes into the header: name, languages"""
    scales, codes = quantize(np.concatenate([rows, bucket_rows]))
    halves = (codes + 8).astype(np.uint8)
    lines = "\n".join(words).encode()
    header = {
        "dims": rows.shape[1],
        "count": len(words),
        "buckets": len(bucket_rows),
        "bits": 4,
        "wordsBytes": len(lines),
        **more,
    }
    head = json.dumps(header).encode()
    head += b" " * (-(4 + len(head) + len(lines)) % 4)
    packed = (halves[:, 0::2] | (halves[:, 1::2] << 4)).tobytes()
    return len(head).to_bytes(4, "little") + head + lines + scales.astype("<f4").tobytes() + packed


class Table:
    def __init__(self, file):
        start = 4 + int.from_bytes(file[:4], "little")
        self.header = json.loads(file[4:start])
        self.dimensions, self.buckets = self.header["dims"], self.header["buckets"]
        end = start + self.header["wordsBytes"]
        words = file[start:end].decode().split("\n")
        count = len(words) + self.buckets
        scales = np.frombuffer(file, "<f4", count, end)
        packed = np.frombuffer(file, np.uint8, offset=end + 4 * count).reshape(count, -1)
        codes = np.stack([packed & 15, packed >> 4], axis=2).reshape(count, -1).astype(np.float32)
        rows = (codes - 8) * scales[:, None]
        self._rows, self._bucket_rows = rows[: len(words)], rows[len(words) :]
        self._row_of = {word: i for i, word in enumerate(words)}
        self._by_grams = {}

    @classmethod
    def open(cls, path):
        return cls(Path(path).read_bytes())

    def _row(self, word):
        row = self._row_of.get(word)
        if row is not None:
            return self._rows[row]
        if word not in self._by_grams:
            self._by_grams[word] = self._bucket_rows[find_buckets(word, self.buckets)].mean(0)
        return self._by_grams[word]

    def encode(self, texts):
        """A row of length 1 for each text; zeros for a text without a word."""
        sums = np.zeros((len(texts), self.dimensions), np.float32)
        for i, text in enumerate(texts):
            for word in split_words(text):
                sums[i] += self._row(word)
        return sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
