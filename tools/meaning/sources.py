"""What the table learns from: taxonomies of the reference data, and the project's own data."""

import csv
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

csv.field_size_limit(10**9)


@dataclass(frozen=True)
class EscoConcept:
    uri: str
    label: str
    alternatives: tuple[str, ...]
    description: str


class Sources:
    """Readers of both folders. Never opened are the evaluation sets under `eval/`, and the
    appellations of ROME, which are the queries of one of them."""

    def __init__(self, shared, project):
        self.shared = Path(shared)
        self.project = Path(project)

    def _csv(self, name):
        with open(self.shared / name, encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))

    def _json_lines(self, pattern):
        return [
            json.loads(line)
            for path in sorted(self.project.glob(pattern))
            for line in path.read_text(encoding="utf-8").splitlines()
            if line
        ]

    @cache
    def esco(self, kind, lang):
        """Concepts of `skills` or `occupations`, in `en` or `fr` (which has no descriptions)."""
        folder = {"en": "v1.1.1-en", "fr": "v1.0-fr"}[lang]
        return [
            EscoConcept(
                row["conceptUri"],
                row["preferredLabel"],
                tuple(name for name in (row["altLabels"] or "").split("\n") if name),
                row["description"] or "",
            )
            for row in self._csv(f"esco/{folder}/{kind}_{lang}.csv")
        ]

    def esco_groups(self):
        """Language, label and description of the groups of ISCO and of skills."""
        for lang, name in (
            ("en", "v1.1.1-en/ISCOGroups_en"),
            ("fr", "v1.0-fr/ISCOGroups_fr"),
            ("en", "v1.1.1-en/skillGroups_en"),
        ):
            for row in self._csv(f"esco/{name}.csv"):
                yield lang, row["preferredLabel"], row["description"] or ""

    @cache
    def onet(self, name):
        """Rows of a table of O*NET, without its head."""
        with open(self.shared / "onet" / f"{name}.txt", encoding="utf-8") as file:
            return [line.rstrip("\n").split("\t") for line in file][1:]

    def rome_competences(self):
        return [row["libelle"] for row in self._csv("rome-347/competences.csv")]

    def rome_occupations(self):
        """Names by code: of the occupation, its field and its domain."""
        return {
            row["code_rome"]: [text for key, text in row.items() if key.startswith("libelle")]
            for row in self._csv("rome-347/metiers.csv")
        }

    def rome_definitions(self):
        """Code, kind and text; an apostrophe is doubled in the source."""
        for row in self._csv("rome-347/definitions.csv"):
            text = row["libelle_texte"].replace("''", "'")
            yield row["code_rome"], row["libelle_type_texte"], text

    @cache
    def objects(self):
        return self._json_lines("objects/*.jsonl")

    @cache
    def concepts(self):
        return self._json_lines("taxonomies/**/*.jsonl")

    def facts(self):
        """Language and title of learning objects that the catalogue may lack."""
        for name in ("facts.csv", "facts-2.csv"):
            for row in self._csv(f"objects/{name}"):
                yield row["lang"][:2] or "en", row["title"]
