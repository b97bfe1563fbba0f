import { openEncoder } from '../../src/adapters/meaning/static-encoder.ts';
import { buildTermData } from '../../src/engine/terms/build-term-data/build-term-data.ts';
import { openTerms } from '../../src/engine/terms/concept-view.ts';
import { createTagger } from '../../src/engine/terms/tagger/tagger.ts';
import type { TermData } from '../../src/engine/terms/term-data.ts';
import type { Concept } from '../../src/engine/terms/types.ts';
import { loadConcepts } from './load-concepts.ts';
import { mean, reciprocalRank, rPrecision } from './metrics.ts';
import type { RunSuite, SuiteRow } from './suite.ts';
import { readTaggedSets, type TaggedSet } from './tagged-sentences.ts';

/** Tags that are asked for; as many as the service gives where nobody asks. */
const MAX = 10;
const LANG = 'en';
const SOURCE = 'ESCO';

/** What a skill is in ESCO; its occupations and groups are not among the labels of these sets. */
const skillKinds: readonly string[] = ['skill', 'topic'];

/** Sentences of job ads against ESCO skills. All measures are percentages but MRR; precision,
 *  recall and F1 are of all that is returned when ten tags are asked for, guesses too but in the
 *  rows `with evidence`. The answers are English preferred labels. The index has all of ESCO in the
 *  languages that are there, as it is imported. The last rows are of its skills only, and of all
 *  taxonomies together where tags of ESCO are asked for. */
export const runTagger: RunSuite = async ({ data, taxonomies }) => {
  const esco = await loadConcepts(taxonomies, ['esco']);
  const sets = readTaggedSets(data);
  const encoder = openEncoder();
  const index = buildTermData(esco, { mainSource: SOURCE, encoder });
  const rows = sets.map((set) => judge(index, set));
  for (const set of sets) rows.push({ ...judge(index, set, { guesses: false }), name: `${set.name}, with evidence` });
  for (const set of sets) rows.push({ ...judge(index, set, { byWords: true }), name: `${set.name}, words alone` });
  const others = { 'skills only': skillsOf(esco), 'all taxonomies': await loadConcepts(taxonomies) };
  for (const [name, concepts] of Object.entries(others)) {
    const other = buildTermData(concepts, { mainSource: SOURCE, encoder });
    rows.push(...sets.map((set) => ({ ...judge(other, set), name: `${set.name}, ${name}` })));
  }
  return rows;
};

/** What can be an answer, in any language; the sets name skills by English labels. */
function skillsOf(concepts: readonly Concept[]): Concept[] {
  return concepts.filter(({ kind, labels }) => skillKinds.includes(kind) && labels[LANG] !== undefined);
}

interface Judging {
  readonly guesses?: boolean;
  readonly byWords?: boolean;
}

function judge(
  data: TermData,
  { name, sentences }: TaggedSet,
  { guesses = true, byWords = false }: Judging = {},
): SuiteRow {
  const tag = createTagger(openTerms(data, openEncoder()));
  const answers = sentences.map(({ sentence, labels }) => {
    const query = { text: sentence, lang: LANG, source: SOURCE, max: MAX };
    const { tags } = tag({ ...query, guesses, byWords });
    return { relevant: labels, ranked: tags.map(({ label }) => label) };
  });
  const percent = (measure: (ranked: readonly string[], relevant: ReadonlySet<string>) => number) =>
    100 * mean(answers.map(({ ranked, relevant }) => measure(ranked, relevant)));
  return {
    name,
    cases: sentences.length,
    values: {
      MRR: percent(reciprocalRank) / 100,
      'RP@1': percent((ranked, relevant) => rPrecision(ranked, relevant, 1)),
      'RP@5': percent((ranked, relevant) => rPrecision(ranked, relevant, 5)),
      'RP@10': percent((ranked, relevant) => rPrecision(ranked, relevant, 10)),
      ...ofAllReturned(answers),
    },
  };
}

/** Over all answers together, so that a sentence counts by its tags. */
function ofAllReturned(
  answers: readonly { ranked: readonly string[]; relevant: ReadonlySet<string> }[],
): Record<string, number> {
  let returned = 0;
  let relevant = 0;
  let right = 0;
  for (const answer of answers) {
    returned += answer.ranked.length;
    relevant += answer.relevant.size;
    right += answer.ranked.filter((label) => answer.relevant.has(label)).length;
  }
  return {
    precision: (100 * right) / Math.max(returned, 1),
    recall: (100 * right) / Math.max(relevant, 1),
    F1: (200 * right) / Math.max(returned + relevant, 1),
  };
}
