"""Words of a text, and the n-grams of a word. The host splits and folds in the same way."""

import re
import unicodedata

WORD = re.compile(r"[^\W_]+(?:\+\+|#(?!\w))?")
LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ß": "ss"})
MARKS = re.compile("[\u0300-\u036f]")


def fold(text):
    """Lower case, without accents."""
    return MARKS.sub("", unicodedata.normalize("NFD", text.lower())).translate(LETTERS)


def split_words(text):
    """Folded words of a text, in their order: `C++`, `C#` and `F#` are words."""
    return WORD.findall(fold(text))


def hash_text(text):
    """FNV-1a of the UTF-8 bytes, 32 bits."""
    value = 2166136261
    for byte in text.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value


def find_buckets(word, buckets):
    """Buckets of the 3- to 5-letter n-grams of a folded word, with its ends marked."""
    marked = f"<{word}>"
    grams = [marked[i : i + n] for n in (3, 4, 5) for i in range(len(marked) - n + 1)]
    return [hash_text(gram) % buckets for gram in grams]
