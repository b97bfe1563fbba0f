import { existsSync } from 'node:fs';
import { openEncoder } from '../../src/adapters/meaning/static-encoder.ts';
import { buildTermData } from '../../src/engine/terms/build-term-data/build-term-data.ts';
import type { TermData } from '../../src/engine/terms/term-data.ts';
import { openTermIndex } from '../../src/engine/terms/term-index.ts';
import type { Concept } from '../../src/engine/terms/types.ts';
import { fold } from '../../src/engine/text/fold.ts';
import type { Encoder } from '../../src/ports/encoder.ts';
import { loadConcepts } from './load-concepts.ts';
import { type MeloSet, readMeloSets, toConcepts } from './melo.ts';
import { averagePrecision, mean, reciprocalRank, success } from './metrics.ts';
import type { RunSuite, SuiteRow } from './suite.ts';

/** Elements of a ranking that count, as in the benchmark's own evaluation. */
const DEPTH = 100;
/** `similar` ranks concepts, the benchmark their labels. A concept's first label has its score; the
 *  others have this share less, so that they come before what is clearly worse, and after the first
 *  labels of concepts that are nearly as good. */
const FURTHER_LABEL_LOSS = 0.4;
const SOURCE = 'MELO';
/** Skills are among the answers too. */
const PLACES_PER_ANSWER = 3;

export const runSimilar: RunSuite = async ({ data, taxonomies, withAblation }) => {
  const rows: SuiteRow[] = [];
  for (const set of readMeloSets(data)) {
    rows.push(...judgeAlone(set, withAblation));
    rows.push(...judgeMeant(set));
    if (isOfEsco(set) && existsSync(taxonomies)) rows.push(...(await judgeBeside(set, taxonomies)));
  }
  return rows;
};

/** The set's own labels and nothing else. */
function judgeAlone(set: MeloSet, withAblation: boolean): SuiteRow[] {
  const concepts = toConcepts(set, SOURCE);
  const terms = buildTermData(concepts, { mainSource: '' });
  const rows = [judge(set, `${set.name}, alone`, rankBy(set, terms))];
  if (!withAblation) return rows;
  const halves = [0, 1].map((half) => ({ ...set, queries: set.queries.filter((_, i) => i % 2 === half) }));
  return [
    ...rows,
    ...halves.map((half, i) => judge(half, `  half ${i + 1} of the queries`, rankBy(set, terms))),
    ...waysLeftOut(concepts, terms).map(({ name, data }) => judge(set, `  without ${name}`, rankBy(set, data))),
  ];
}

/** With what titles mean; halves tell how far what was chosen on one holds on the other. */
function judgeMeant(set: MeloSet): SuiteRow[] {
  const encoder = openEncoder();
  const rank = rankBy(set, buildTermData(toConcepts(set, SOURCE), { mainSource: '', encoder }), encoder);
  const halves = [0, 1].map((half) => ({ ...set, queries: set.queries.filter((_, i) => i % 2 === half) }));
  return [
    judge(set, `${set.name}, with meaning`, rank),
    ...halves.map((half, i) => judge(half, `  half ${i + 1} of the queries`, rank)),
  ];
}

function waysLeftOut(concepts: readonly Concept[], terms: TermData): { name: string; data: TermData }[] {
  const { labels, vectors } = terms;
  const build = (changed: readonly Concept[]) => buildTermData(changed, { mainSource: '' });
  return [
    {
      name: 'vectors',
      data: { ...terms, vectors: { ...vectors, terms: new Int8Array(vectors.terms.length) } },
    },
    {
      name: 'more worth for preferred labels',
      data: { ...terms, labels: { ...labels, roleOf: new Uint8Array(labels.roleOf.length) } },
    },
    {
      name: 'both forms of a label',
      data: build(concepts.map((concept) => ({ ...concept, kind: 'skill' }))),
    },
    { name: 'alternative labels', data: build(concepts.map((concept) => ({ ...concept, altLabels: {} }))) },
  ];
}

/** A term stands for all concepts that `similar` shows by the same name. */
function rankBy(set: MeloSet, terms: TermData, encoder?: Encoder): RankConcepts {
  const index = openTermIndex(terms, encoder);
  const twins = conceptsByLabel(set);
  return (text) =>
    index
      .similar({ keywords: text, lang: set.lang, max: DEPTH })
      .flatMap(({ conceptId, score }) => (twins.get(conceptId) ?? []).map((concept) => ({ concept, score })));
}

const ESCO_URI = 'http://data.europa.eu/esco/';

function isOfEsco({ uris }: MeloSet): boolean {
  return [...uris.values()].some((uri) => uri.startsWith(ESCO_URI));
}

/** ESCO, O*NET and ROME as they are imported; answers of ESCO that the set does not have are passed
 *  over. */
async function judgeBeside(set: MeloSet, taxonomies: string): Promise<SuiteRow[]> {
  const concepts = await loadConcepts(taxonomies);
  const conceptOf = new Map(
    [...set.uris].map(([concept, uri]) => [`esco:${uri.replace(ESCO_URI, '').replaceAll('/', '.')}`, concept]),
  );
  const rankIn = (all: readonly Concept[]): RankConcepts => {
    const index = openTermIndex(buildTermData(all, { mainSource: '' }));
    return (text) =>
      index
        .similar({ keywords: text, lang: set.lang, source: 'ESCO', max: DEPTH * PLACES_PER_ANSWER })
        .flatMap(({ conceptId, score }) => {
          const concept = conceptOf.get(conceptId);
          return concept === undefined ? [] : [{ concept, score }];
        });
  };
  return [
    judge(set, `${set.name}, all taxonomies`, rankIn(concepts.map(withoutBridges))),
    judge(set, `${set.name}, with links to ESCO`, rankIn(concepts)),
  ];
}

/** Links between taxonomies may be what the judgments were made of. */
function withoutBridges(concept: Concept): Concept {
  const own = concept.id.split(':')[0];
  const links = Object.entries(concept.links ?? {}).map(([name, ids]) => [
    name,
    ids.filter((id) => id.split(':')[0] === own),
  ]);
  return { ...concept, links: Object.fromEntries(links) };
}

type RankConcepts = (text: string) => { readonly concept: string; readonly score: number }[];

function judge(set: MeloSet, name: string, rank: RankConcepts): SuiteRow {
  const rankings = set.queries.map(({ text, relevant }) => ({ ranked: layOut(set, rank(text)), relevant }));
  const over = (measure: (ranked: readonly string[], relevant: ReadonlySet<string>) => number) =>
    mean(rankings.map(({ ranked, relevant }) => measure(ranked, relevant)));
  return {
    name,
    cases: rankings.length,
    values: {
      MRR: over(reciprocalRank),
      MAP: over(averagePrecision),
      'success@1': over((ranked, relevant) => success(ranked, relevant, 1)),
      'success@5': over((ranked, relevant) => success(ranked, relevant, 5)),
      'success@10': over((ranked, relevant) => success(ranked, relevant, 10)),
    },
  };
}

/** Labels of the ranked concepts, best first. */
function layOut({ elements }: MeloSet, ranked: ReturnType<RankConcepts>): string[] {
  return ranked
    .flatMap(({ concept, score }, place) =>
      (elements.get(concept) ?? []).map(({ id }, i) => ({
        id,
        place,
        score: i === 0 ? score : score * (1 - FURTHER_LABEL_LOSS),
      })),
    )
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, DEPTH)
    .map(({ id }) => id);
}

/** `similar` shows two concepts of one name as one term, which stands for both. */
function conceptsByLabel({ elements }: MeloSet): Map<string, string[]> {
  const byText = new Map<string, string[]>();
  for (const [concept, [first]] of elements) {
    const key = fold(first?.text ?? '');
    byText.set(key, [...(byText.get(key) ?? []), concept]);
  }
  return new Map([...byText.values()].flatMap((concepts) => concepts.map((concept) => [concept, concepts])));
}
