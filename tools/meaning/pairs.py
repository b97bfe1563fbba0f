"""Pairs of texts that mean the same. None is of the catalogue's own objects: they would teach the
table what its own benchmarks ask, and they made it worse at tagging."""

import random
import re
from zlib import crc32

LONGEST = 300


def is_held_out(uri):
    """Of each ninth ESCO skill no pair joins two languages; the check looks for those."""
    return crc32(uri.encode()) % 9 == 0


def read_pairs(sources):
    """Two texts each; none is empty, and no two are the same."""
    chance = random.Random(2)
    pairs = [
        *_pair_esco(sources, chance),
        *_pair_concepts(sources),
        *_pair_onet(sources, chance),
        *_pair_rome(sources),
    ]
    return [(a, b) for a, b in pairs if a and b and a != b]


def _sample(chance, names, count):
    return chance.sample(names, min(count, len(names)))


def _pair_esco(sources, chance):
    for kind in ("skills", "occupations"):
        french = {concept.uri: concept for concept in sources.esco(kind, "fr")}
        for concept in sources.esco(kind, "en"):
            label, names = concept.label, concept.alternatives
            description = re.sub(r"\s+", " ", concept.description)[:LONGEST]
            yield from ((label, name) for name in _sample(chance, names, 8))
            if len(names) > 1:
                yield tuple(chance.sample(names, 2))
            yield label, description
            other = french.get(concept.uri)
            if other is None or (kind == "skills" and is_held_out(concept.uri)):
                continue
            yield label, other.label
            yield other.label, description
            yield from ((other.label, name) for name in _sample(chance, other.alternatives, 2))
            if other.alternatives:
                yield chance.choice(names or (label,)), chance.choice(other.alternatives)


def _pair_concepts(sources):
    for concept in sources.concepts():
        labels = concept["labels"]
        if "en" in labels and "fr" in labels:
            # Twice: they are few, and what people ask for.
            yield from [(labels["en"], labels["fr"])] * 2
        for lang, label in labels.items():
            for name in concept.get("altLabels", {}).get(lang, []):
                yield label, name
            yield label, concept.get("description", {}).get(lang, "")


def _pair_onet(sources, chance):
    yield from sorted({(row[1], row[3]) for row in sources.onet("Technology Skills")})
    titles = {code: title for code, title, _ in sources.onet("Occupation Data")}
    names = [
        (titles[row[0]], row[1]) for row in sources.onet("Alternate Titles") if row[0] in titles
    ]
    yield from _sample(chance, names, 15000)
    for _, title, description in sources.onet("Occupation Data"):
        yield title, description[:LONGEST]


def _pair_rome(sources):
    names = sources.rome_occupations()
    for code, kind, text in sources.rome_definitions():
        if kind == "definition" and code in names:
            yield names[code][0], text[:LONGEST]
