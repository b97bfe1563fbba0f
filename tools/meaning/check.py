"""Scores a table, alone, on the validation sets. The benchmarks of the product score it in use.

Nothing here is read while training. Values of the open needs are of judged objects only.
"""

import csv
import json
from pathlib import Path

import numpy as np

from pairs import is_held_out
from sources import Sources
from words import WORD

NO_LABEL = {"", "LABEL NOT PRESENT", "UNK", "UNDERSPECIFIED"}
WINDOWS = (1, 2, 4, 7)
OWN_LANGUAGE = 0.15


def read_rows(path):
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def read_lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def rank(scores, count):
    return np.argsort(-scores, kind="stable")[:count]


def gain(grades):
    return sum((2**grade - 1) / np.log2(place + 2) for place, grade in enumerate(grades[:5]))


def check_needs(table, sources, project):
    """nDCG@5 of the open needs, by language."""
    objects = sources.objects()
    langs = np.array([one["lang"] for one in objects])
    vectors = table.encode(
        [f"{one['title']}. {', '.join(one['keywords'])}. {one['description']}" for one in objects]
    )
    folder = project / "bench/needs"
    grades = {line["id"]: line["grades"] for line in read_lines(folder / "grades.jsonl")}
    needs = [line for line in read_lines(folder / "needs.jsonl") if not line["sealed"]]
    values = {"en": [], "fr": []}
    for need, vector in zip(needs, table.encode([need["query"] for need in needs])):
        judged = grades.get(need["id"], {})
        if max(judged.values(), default=0) < 2:
            continue
        scores = vectors @ vector + OWN_LANGUAGE * (langs == need["lang"])
        shown = [objects[i]["url"] for i in rank(scores, 200) if objects[i]["url"] in judged]
        best = gain(sorted(judged.values(), reverse=True))
        values[need["lang"]].append(gain([judged[url] for url in shown]) / best)
    return {f"needs, {lang}, nDCG@5": np.mean(ones) for lang, ones in values.items()}


def read_tagged(path):
    """Labels by sentence; a sentence without a label is left out."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        labels = {}
        for row in csv.DictReader(file):
            labels.setdefault(row["sentence"], set()).add(row["label"].strip())
    return {sentence: names - NO_LABEL for sentence, names in labels.items() if names - NO_LABEL}


def cut_windows(sentence):
    """The sentence, and each stretch of a few of its words."""
    words = list(WORD.finditer(sentence))
    stretches = [
        sentence[words[i].start() : words[i + count - 1].end()]
        for count in WINDOWS
        for i in range(len(words) - count + 1)
    ]
    return list(dict.fromkeys([sentence, *stretches]))


def check_sentences(table, sources, shared):
    """RP@5 of ESCO skills for sentences of job ads: the cosine of the label, and half of that of
    its best name, each with the nearest stretch of the sentence."""
    skills = sources.esco("skills", "en")
    names = [name for skill in skills for name in skill.alternatives]
    skill_of = np.array([i for i, skill in enumerate(skills) for _ in skill.alternatives])
    labels = table.encode([skill.label for skill in skills])
    alternatives = table.encode(names)
    values = {}
    for name in ("tech", "house"):
        found = []
        for sentence, right in read_tagged(shared / f"eval/esco_{name}_validation.csv").items():
            windows = table.encode(cut_windows(sentence)).T
            scores = (labels @ windows).max(1)
            best = scores.copy()
            np.maximum.at(best, skill_of, (alternatives @ windows).max(1))
            tags = {skills[i].label for i in rank(scores + best / 2, 5)}
            found.append(len(tags & right) / min(5, len(right)))
        values[f"sentences, {name.upper()}, RP@5"] = np.mean(found)
    return values


def check_titles(table, shared):
    """MRR of ESCO occupations for French titles of jobs (MELO)."""
    folder = shared / "eval/melo_fr_rome_to_esco"
    right = {}
    for query, _, element, grade in read_rows(folder / "annotations.tsv"):
        if int(grade) > 0:
            right.setdefault(query, set()).add(element)
    queries = [row for row in read_rows(folder / "queries.tsv") if row[0] in right]
    elements = read_rows(folder / "corpus_elements.tsv")
    vectors = table.encode([text for _, text in elements])
    values = []
    for (query, _), vector in zip(queries, table.encode([text for _, text in queries])):
        ranks = (
            place
            for place, i in enumerate(rank(vectors @ vector, 100), 1)
            if elements[i][0] in right[query]
        )
        values.append(1 / next(ranks, np.inf))
    return {"titles, fr, MRR": np.mean(values)}


def check_languages(table, sources):
    """How often the English label is nearest to the French one, of skills held out of the pairs."""
    english = sources.esco("skills", "en")
    french = {skill.uri: skill.label for skill in sources.esco("skills", "fr")}
    held = [i for i, skill in enumerate(english) if is_held_out(skill.uri) and skill.uri in french]
    vectors = table.encode([skill.label for skill in english])
    scores = table.encode([french[english[i].uri] for i in held]) @ vectors.T
    nearest = scores.argmax(1)
    return {"labels, fr to en, first": np.mean(nearest == held)}


def print_check(table, shared, project):
    sources = Sources(shared, Path(project) / "data")
    values = {
        **check_needs(table, sources, Path(project)),
        **check_sentences(table, sources, Path(shared)),
        **check_titles(table, Path(shared)),
        **check_languages(table, sources),
    }
    for name, value in values.items():
        print(f"{name:28} {value:.3f}")
