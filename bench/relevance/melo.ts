import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Concept } from '../../src/engine/terms/types.ts';

/** A set of the MELO benchmark: titles of one taxonomy, to be found among the labels of another's concepts.
 *  Source: Retyk et al. 2024, github.com/Avature/melo-benchmark. */
export interface MeloSet {
  readonly name: string;
  /** Of the queries; two letters. */
  readonly lang: string;
  readonly queries: readonly { readonly text: string; readonly relevant: ReadonlySet<string> }[];
  /** By concept: ids and texts of its labels. */
  readonly elements: ReadonlyMap<string, readonly MeloElement[]>;
  /** By concept, where the set tells: the concept's address in its taxonomy. */
  readonly uris: ReadonlyMap<string, string>;
}

export interface MeloElement {
  readonly id: string;
  readonly text: string;
  readonly lang: string;
}

const ELEMENT_ID = /^(.+?)_([a-z]{2})_\d+$/;
const QUERY_LANG = /(?:_q_|melo_)([a-z]{2})_/;

/** A folder is a set, or has sets in it. */
export function readMeloSets(folder: string): MeloSet[] {
  if (existsSync(join(folder, 'queries.tsv'))) return [readMeloSet(folder)];
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isDirectory() && existsSync(join(path, 'queries.tsv')))
    .map(readMeloSet);
}

function readMeloSet(folder: string): MeloSet {
  const relevant = new Map<string, Set<string>>();
  for (const [query = '', , element = '', grade] of readRows(folder, 'annotations.tsv')) {
    if (Number(grade) > 0) relevant.set(query, (relevant.get(query) ?? new Set()).add(element));
  }
  const elements = new Map<string, MeloElement[]>();
  for (const [id = '', text = ''] of readRows(folder, 'corpus_elements.tsv')) {
    const { concept, lang } = readElementId(id);
    elements.set(concept, [...(elements.get(concept) ?? []), { id, text, lang }]);
  }
  const langs = new Set([...elements.values()].flat().map(({ lang }) => lang));
  return {
    name: basename(folder),
    lang: QUERY_LANG.exec(basename(folder))?.[1] ?? [...langs][0] ?? 'en',
    queries: readRows(folder, 'queries.tsv').flatMap(([id = '', text = '']) => {
      const judged = relevant.get(id);
      return judged === undefined ? [] : [{ text, relevant: judged }];
    }),
    elements,
    uris: new Map(
      readRows(folder, 'concept_mapping.tsv').map(([id = '', uri = '']) => [readElementId(id).concept, uri]),
    ),
  };
}

/** `C000001_fr_000`: a concept, a language, a number; the first is the preferred label. */
function readElementId(id: string): { concept: string; lang: string } {
  const [, concept = id, lang = 'en'] = ELEMENT_ID.exec(id) ?? [];
  return { concept, lang };
}

function readRows(folder: string, file: string): string[][] {
  const path = join(folder, file);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split(/\r?\n/);
  return lines.filter((line) => line !== '').map((line) => line.split('\t'));
}

/** The set's concepts as a taxonomy of their own: what is in the set and nothing else. */
export function toConcepts({ elements }: MeloSet, source: string): Concept[] {
  return [...elements].map(([id, own]) => {
    const labels: Record<string, string> = {};
    const altLabels: Record<string, string[]> = {};
    for (const { lang, text } of own) {
      if (labels[lang] === undefined) labels[lang] = text;
      else altLabels[lang] = [...(altLabels[lang] ?? []), text];
    }
    return { id, source, kind: 'occupation', labels, altLabels };
  });
}
