import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { readStarterCatalog } from '../../src/adapters/local/starter-catalog.ts';
import { openEncoder } from '../../src/adapters/meaning/static-encoder.ts';
import { buildTermData } from '../../src/engine/terms/build-term-data/build-term-data.ts';
import { openTermIndex } from '../../src/engine/terms/term-index.ts';
import type { Concept } from '../../src/engine/terms/types.ts';
import { loadConcepts } from './load-concepts.ts';
import { mean } from './metrics.ts';
import type { RunSuite, SuiteRow } from './suite.ts';

/** What somebody said, and the skills that it asks for, teaches or requires. See
 *  bench/talk/README.md. */
const said = z.strictObject({
  id: z.string(),
  lang: z.enum(['fr', 'en']),
  kind: z.enum(['idle', 'chat', 'announcement', 'ad', 'wish']),
  text: z.string(),
  skills: z.array(z.string()),
  sealed: z.boolean(),
});
type Said = z.infer<typeof said>;

/** Of one text: the tags that were looked at, by label. */
const graded = z.strictObject({ id: z.string(), right: z.array(z.string()), wrong: z.array(z.string()) });
type Grades = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

type Tagger = (text: Said) => readonly string[];

const CATALOG = 'data';
/** As many as the service gives where nobody says. */
const MAX = 10;

const readLines = (text: string): unknown[] =>
  text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

/** Those of the sealed third are packed, so that nobody reads them by accident. */
function readGrades(folder: string): Grades {
  const [open, sealed] = [join(folder, 'grades.jsonl'), join(folder, 'sealed.jsonl.gz')];
  const lines = [
    ...(existsSync(open) ? readLines(readFileSync(open, 'utf8')) : []),
    ...(existsSync(sealed) ? readLines(gunzipSync(readFileSync(sealed)).toString()) : []),
  ];
  const pairs = lines
    .map((line) => graded.parse(line))
    .map(({ id, right, wrong }): [string, Map<string, boolean>] => [
      id,
      new Map([
        ...right.map((label): [string, boolean] => [label, true]),
        ...wrong.map((label): [string, boolean] => [label, false]),
      ]),
    ]);
  return new Map(pairs);
}

/** How far tags can be believed, with the taxonomies that come with the host and with all others
 *  beside them: the texts that are not sealed, by language and kind; or, with `sealed`, only totals
 *  of those that are. */
export const runTalk: RunSuite = async ({ data, taxonomies, sealed = false, pool }) => {
  const all = z.array(said).parse(readLines(readFileSync(join(data, 'sentences.jsonl'), 'utf8')));
  const texts = all.filter((text) => text.sealed === sealed);
  const grades = readGrades(data);
  const { concepts } = readStarterCatalog(CATALOG);
  const taggers = [createTagger('starter', concepts)];
  if (existsSync(taxonomies)) {
    const everything = [...concepts, ...(await loadConcepts(taxonomies))];
    taggers.push(createTagger('all taxonomies', everything));
  }
  if (pool !== undefined) {
    const pairs = writePool(pool, { texts, grades, taggers: taggers.map(([, tag]) => tag) });
    return [{ name: 'to be graded', cases: pairs, values: {} }];
  }
  const parts: [string, (text: Said) => boolean][] = [['all', () => true]];
  if (!sealed) {
    for (const lang of said.shape.lang.options) parts.push([lang, (text) => text.lang === lang]);
    for (const kind of said.shape.kind.options) parts.push([kind, (text) => text.kind === kind]);
  }
  const rows: SuiteRow[] = [];
  for (const [name, tag] of taggers)
    for (const [part, isOfPart] of parts)
      rows.push(measure(`${name}: ${part}`, texts.filter(isOfPart), { grades, tag }));
  const idle = texts.filter(({ kind }) => kind === 'idle');
  for (const [name, , guess] of taggers) {
    const guessed = idle.filter((text) => guess(text).length > 0).length;
    rows.push({
      name: `${name}: idle, with guesses`,
      cases: idle.length,
      values: { 'with a guess': guessed },
    });
  }
  return rows;
};

function createTagger(name: string, concepts: readonly Concept[]): [string, tag: Tagger, guess: Tagger] {
  const encoder = openEncoder();
  const index = openTermIndex(buildTermData(concepts, { mainSource: 'Skilldock', encoder }), encoder);
  const tagWith =
    (guesses: boolean): Tagger =>
    ({ text, lang }) =>
      index.tag({ text, lang, max: MAX, guesses }).tags.map(({ label }) => label);
  return [name, tagWith(false), tagWith(true)];
}

function measure(
  name: string,
  texts: readonly Said[],
  { grades, tag }: { readonly grades: Grades; readonly tag: Tagger },
): SuiteRow {
  const shown = texts.map((text) => {
    const labels = tag(text);
    return { ...text, labels, right: labels.filter((label) => grades.get(text.id)?.get(label) === true) };
  });
  const pairs = shown.flatMap(({ id, labels }) => labels.map((label) => grades.get(id)?.get(label)));
  const asking = shown.filter(({ skills }) => skills.length > 0);
  const idle = shown.filter(({ kind }) => kind === 'idle');
  const percent = (values: readonly boolean[]) => 100 * mean(values.map(Number));
  return {
    name,
    cases: texts.length,
    values: {
      tags: pairs.length,
      ...(pairs.length > 0 && { 'right of shown': mean(pairs.map((right) => (right === true ? 1 : 0))) }),
      ...(idle.length > 0 && { 'idle with a tag %': percent(idle.map(({ labels }) => labels.length > 0)) }),
      ...(asking.length > 0 && {
        'asking with a right tag %': percent(asking.map(({ right }) => right.length > 0)),
        'right first %': percent(asking.map(({ labels, right }) => labels[0] !== undefined && labels[0] === right[0])),
      }),
      ungraded: pairs.filter((right) => right === undefined).length,
    },
  };
}

/** Tags that have no grade yet, below their text, in the order of the alphabet: it does not tell
 *  how sure the tagger was. The file is JSON Lines; moving what is right from `wrong` to `right`
 *  makes grades of it.
 *  @returns how many tags there are */
function writePool(
  folder: string,
  {
    texts,
    grades,
    taggers,
  }: { readonly texts: readonly Said[]; readonly grades: Grades; readonly taggers: readonly Tagger[] },
): number {
  mkdirSync(folder, { recursive: true });
  let pairs = 0;
  const lines: string[] = [];
  for (const text of texts) {
    const known = grades.get(text.id);
    const found = taggers.map((tag) => tag(text));
    const labels = [...new Set(found.flat())].filter((label) => known?.has(label) !== true);
    pairs += labels.length;
    if (labels.length > 0)
      lines.push(JSON.stringify({ id: text.id, text: text.text, right: [], wrong: labels.toSorted() }));
  }
  writeFileSync(join(folder, 'talk.jsonl'), `${lines.join('\n')}\n`);
  return pairs;
}
