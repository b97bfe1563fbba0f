"""Makes the table of word vectors, or checks it. See README.md beside this file."""

import argparse
import hashlib
import json
import os
from pathlib import Path

# One thread for each process: two teachers run at once, and sums come out the same each time.
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np

from check import print_check
from ngrams import fit_buckets
from pairs import read_pairs
from sources import Sources
from student import Lessons, Vocabulary, train
from table import Table, pack_table
from teachers import ask_teacher, check_files
from texts import choose_texts, count_words, read_texts
from words import split_words

PROJECT = Path(__file__).resolve().parents[2]
NAME = "skilldock-words-1"
LANGS = ["en", "fr"]
WORDS = 40000
SMALL_TEXTS = 42000
SMALL_LENGTH = 90

# Of these the small teacher reads every one, of the others what there is room for.
SHORT_SOURCES = {"concept", "title", "keyword", "onet-technology", "esco-label", "description"}


def learn_words(texts, folder):
    """Words that are folded alike are one; its vector is that of the commonest spelling."""
    counts = {
        word: count
        for word, count in count_words(texts).items()
        if (count > 1 or len(word) > 3) and len(word) <= 30
    }
    folded, spelt = {}, {}
    for word, count in counts.items():
        parts = split_words(word)
        if len(parts) == 1:
            folded[parts[0]] = folded.get(parts[0], 0) + count
            spelt.setdefault(parts[0], word)
    words = sorted(folded, key=lambda word: (-folded[word], word))
    vectors = ask_teacher("use", [spelt[word] for word in words], folder)
    return Vocabulary(words, np.array([folded[word] for word in words]), vectors.astype(np.float32))


def choose_small(texts):
    """Places of the short English texts that the small teacher reads."""
    short = [
        i
        for i, text in enumerate(texts)
        if text.lang == "en" and len(text.text) <= SMALL_LENGTH
    ]
    chance = np.random.default_rng(5)
    first = [i for i in short if texts[i].source in SHORT_SOURCES]
    others = [i for i in short if texts[i].source not in SHORT_SOURCES]
    chosen = [*chance.permutation(first), *chance.permutation(others)][:SMALL_TEXTS]
    return np.sort(np.array(chosen, np.int64))


def prepare_lessons(texts, sources, folder):
    chosen = choose_texts(texts)
    small_rows = choose_small(chosen)
    return Lessons(
        texts=[text.text for text in chosen],
        targets=ask_teacher("use", [text.text for text in chosen], folder).astype(np.float32),
        langs=np.array([text.lang for text in chosen]),
        pairs=read_pairs(sources),
        small_rows=small_rows,
        small_targets=ask_teacher(
            "minilm", [chosen[i].text for i in small_rows], folder
        ).astype(np.float32),
    )


def make_table(sources, folder, seed):
    texts = read_texts(sources)
    vocabulary = learn_words(texts, folder)
    lessons = prepare_lessons(texts, sources, folder)
    print(f"{len(lessons.texts)} texts, {len(lessons.pairs)} pairs, {len(vocabulary.words)} words")
    rows = train(vocabulary, lessons, seed)
    bucket_rows = fit_buckets(vocabulary.words, rows)
    return pack_table(
        vocabulary.words[:WORDS], rows[:WORDS], bucket_rows, name=NAME, langs=LANGS
    )


def write_table(file, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "words.bin").write_bytes(file)
    manifest = {
        "format": 1,
        "name": NAME,
        "dimensions": Table(file).dimensions,
        "langs": LANGS,
        "sha256": hashlib.sha256(file).hexdigest(),
        "licence": "Apache-2.0",
    }
    # A line for each member, as the formatter of the project has it.
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in manifest.items()]
    (folder / "manifest.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(f"{folder / 'words.bin'}: {len(file)} bytes, SHA-256 {manifest['sha256']}")


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", type=Path, help="folder of the reference data")
    parser.add_argument("--check", action="store_true", help="only score the table that is there")
    parser.add_argument("--out", type=Path, default=PROJECT / "data/meaning")
    parser.add_argument("--keep", type=Path, help="folder for what the teachers answer")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main():
    arguments = read_arguments()
    if not arguments.check:
        check_files()
        sources = Sources(arguments.shared, PROJECT / "data")
        write_table(make_table(sources, arguments.keep, arguments.seed), arguments.out)
    print_check(Table.open(arguments.out / "words.bin"), arguments.shared, PROJECT)


if __name__ == "__main__":
    main()
