"""Texts that the teachers read."""

import re
from collections import Counter
from typing import NamedTuple
from zlib import crc32

from words import WORD

LONGEST = 240


class Text(NamedTuple):
    text: str
    lang: str
    source: str


# Of the long lists only a part: the teachers take their time, and a list says the same many times.
SHARES = {
    "esco-alternative": 0.12,
    "esco-description": 0.4,
    "group-description": 0.25,
    "onet-title": 0.06,
    "onet-technology": 0.3,
    "keyword": 0.7,
    "fact": 0.5,
}


def split_sentences(text):
    return [part for part in re.split(r"(?<=[.!?;])\s+|\n+", text) if len(part) > 3]


def read_texts(sources):
    """Every text once a language, in the order of the sources."""
    seen = {}
    for text, lang, source in _read_all(sources):
        text = re.sub(r"\s+", " ", text).strip()
        if len(text) > 1:
            seen.setdefault((text, lang), Text(text[:400], lang, source))
    return list(seen.values())


def _read_all(sources):
    yield from _read_esco(sources)
    yield from _read_onet(sources)
    yield from _read_rome(sources)
    yield from _read_project(sources)


def _read_esco(sources):
    for kind in ("skills", "occupations"):
        for lang in ("en", "fr"):
            for concept in sources.esco(kind, lang):
                yield concept.label, lang, "esco-label"
                for name in concept.alternatives:
                    yield name, lang, "esco-alternative"
                if lang == "fr" and kind == "occupations":
                    # The masculine and the feminine name.
                    for name in concept.label.split("/"):
                        yield name, lang, "esco-alternative"
                for sentence in split_sentences(concept.description):
                    yield sentence, lang, "esco-description"
    for lang, label, description in sources.esco_groups():
        yield label, lang, "group"
        for sentence in split_sentences(description):
            yield sentence, lang, "group-description"


def _read_onet(sources):
    for row in sources.onet("Alternate Titles"):
        yield row[1], "en", "onet-title"
    for _, title, description in sources.onet("Occupation Data"):
        yield title, "en", "onet"
        for sentence in split_sentences(description):
            yield sentence, "en", "onet"
    for row in sources.onet("Technology Skills"):
        yield row[1], "en", "onet-technology"
        yield row[3], "en", "onet-technology"


def _read_rome(sources):
    for label in sources.rome_competences():
        yield label, "fr", "rome"
    for _, _, text in sources.rome_definitions():
        for sentence in split_sentences(text):
            yield sentence, "fr", "rome"
    for names in sources.rome_occupations().values():
        for name in names:
            yield name, "fr", "rome"


def _read_project(sources):
    for learning_object in sources.objects():
        lang, title = learning_object["lang"], learning_object["title"]
        keywords, description = learning_object["keywords"], learning_object["description"]
        yield title, lang, "title"
        yield f"{title}. {', '.join(keywords)}. {description}", lang, "object"
        for keyword in keywords:
            yield keyword, lang, "keyword"
        for sentence in split_sentences(description):
            yield sentence, lang, "description"
    for concept in sources.concepts():
        for lang, label in concept["labels"].items():
            yield label, lang, "concept"
        for lang, names in concept.get("altLabels", {}).items():
            for name in names:
                yield name, lang, "concept"
        for lang, description in concept.get("description", {}).items():
            for sentence in split_sentences(description):
                yield sentence, lang, "concept"
    for lang, title in sources.facts():
        yield title, lang, "fact"


def choose_texts(texts):
    """Those that the teachers read: all that is not English, and a share of what is. Which ones
    depends on each text alone, so that a new text moves no other."""

    def is_chosen(text):
        if text.source == "object":
            return False
        if text.lang != "en":
            return True
        return crc32(text.text.encode()) / 2**32 < SHARES.get(text.source, 1)

    return [text._replace(text=text.text[:LONGEST]) for text in texts if is_chosen(text)]


def count_words(texts):
    """How often each word is there, as it is spelt but for its case, the commonest first."""
    counts = Counter()
    for text in texts:
        counts.update(WORD.findall(text.text.lower()))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
