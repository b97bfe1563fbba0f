import type { TermIndex } from '../src/engine/terms/types.ts';
// npm run bench:terms [-- --taxonomies DIR] [--data DIR] [--queries 300] [--no-peers]

import { parseArgs } from 'node:util';
import MiniSearch from 'minisearch';
import { buildTermData } from '../src/engine/terms/build-term-data/build-term-data.ts';
import { loadTermIndex, openTermIndex, saveTermIndex } from '../src/engine/terms/term-index.ts';
import type { Concept } from '../src/engine/terms/types.ts';
import { tokenize } from '../src/engine/text/tokenize.ts';
import { digits, measureLatency, memoryInUse, quantile, timeOf } from './measure.ts';
import { loadConcepts } from './relevance/load-concepts.ts';
import { readTaggedSets } from './relevance/tagged-sentences.ts';

const MAX = 10;
const LONG_TEXT = 20_000;
const SHORT_TEXT = 500;
/** Characters of a text that speed is measured on. */
const TEXT_LENGTH = 200_000;
/** The best of so many passes counts: other processes only ever add to it. */
const PASSES = 5;
/** Words of the longest label that the naive matcher looks for. */
const LONGEST_LABEL = 6;

type Tag = (text: string) => { length: number };

const { values } = parseArgs({
  options: {
    taxonomies: { type: 'string', default: '../shared/data' },
    data: { type: 'string', default: '../shared/data/eval' },
    queries: { type: 'string', default: '300' },
    'no-peers': { type: 'boolean', default: false },
  },
});

const concepts = await loadConcepts(values.taxonomies);
const labels = concepts.flatMap(({ labels, altLabels }) => [
  ...Object.values(labels),
  ...Object.values(altLabels).flat(),
]);
const { index, facts } = buildIndex(concepts);
console.log('Index');
console.table(facts);
const queries = makeQueries(labels, Number(values.queries));
console.log('p50 / p99 in milliseconds');
console.table(measureQueries(index, queries));
console.log('Tagger');
console.table(measureTagger(index));

function buildIndex(all: readonly Concept[]): { index: TermIndex; facts: Record<string, number> } {
  const data = buildTermData(all, { mainSource: 'ESCO' });
  const buildSeconds =
    timeOf(() => {
      buildTermData(all, { mainSource: 'ESCO' });
    }) / 1000;
  const block = saveTermIndex(data, null);
  const before = memoryInUse();
  let opened: TermIndex | null = null;
  const loadSeconds =
    timeOf(() => {
      opened = openTermIndex(loadTermIndex(block.slice()).data);
    }) / 1000;
  const index = opened ?? openTermIndex(data);
  return {
    index,
    facts: {
      concepts: index.counts.concepts,
      labels: index.counts.labels,
      'build s': buildSeconds,
      'snapshot MB': block.byteLength / 2 ** 20,
      'load s': loadSeconds,
      'memory MB': (memoryInUse() - before) / 2 ** 20,
    },
  };
}

interface Queries {
  readonly whole: readonly string[];
  readonly cut: readonly string[];
}

/** Labels spread evenly over all; one in two with two letters exchanged; and their beginnings, as
 *  they are typed. */
function makeQueries(all: readonly string[], count: number): Queries {
  const every = Math.max(1, Math.floor(all.length / count));
  const whole = all.filter((_, i) => i % every === 0).map((label, i) => (i % 2 === 0 ? label : mistype(label)));
  return { whole, cut: whole.map((label, i) => label.slice(0, 2 + (i % 12))) };
}

function mistype(label: string): string {
  const at = Math.floor(label.length / 2);
  return label.slice(0, at) + (label[at + 1] ?? '') + (label[at] ?? '') + label.slice(at + 2);
}

function measureQueries(terms: TermIndex, { whole, cut }: Queries): Record<string, Record<string, string>> {
  const cell = (inputs: readonly string[], call: (text: string) => { length: number }) => {
    const { p50, p99, hits } = measureLatency(inputs, call);
    return `${digits(p50)} / ${digits(p99)} (${digits(hits, 1)} hits)`;
  };
  const rows: Record<string, Record<string, string>> = {
    skilldock: {
      similar: cell(whole, (keywords) => terms.similar({ keywords, lang: 'en', max: MAX })),
      suggest: cell(cut, (keywords) => terms.suggest({ keywords, max: MAX }).suggestions),
    },
  };
  if (values['no-peers']) return rows;
  const peer = new MiniSearch<{ id: number; label: string }>({ fields: ['label'] });
  peer.addAll(labels.map((label, id) => ({ id, label })));
  rows.MiniSearch = {
    similar: cell(whole, (text) => peer.search(text, { fuzzy: 1 }).slice(0, MAX)),
    suggest: cell(cut, (text) => peer.autoSuggest(text, { fuzzy: 1 }).slice(0, MAX)),
  };
  return rows;
}

function measureTagger(terms: TermIndex): Record<string, Record<string, string>> {
  const real = readTaggedSets(values.data)
    .flatMap(({ sentences }) => sentences.map(({ sentence }) => sentence))
    .join('\n')
    .slice(0, TEXT_LENGTH);
  const worst = labels
    .filter((_, i) => i % 97 === 0)
    .join(' . ')
    .slice(0, TEXT_LENGTH);
  const ours: Tag = (text) => terms.tag({ text, lang: 'en', max: MAX }).tags;
  const rows = { skilldock: speedOf(ours, { real, worst }) };
  return values['no-peers']
    ? rows
    : { ...rows, 'exact labels in a Map': speedOf(naiveTagger(labels), { real, worst }) };
}

function speedOf(tag: Tag, { real, worst }: { real: string; worst: string }): Record<string, string> {
  const megabytes = (text: string) => {
    const milliseconds = timesOf(tag, cutText(text, LONG_TEXT)).reduce((sum, time) => sum + time, 0);
    return digits(Buffer.byteLength(text) / 1000 / milliseconds);
  };
  const short = timesOf(tag, cutText(real, SHORT_TEXT));
  return {
    'MB/s, job ads': megabytes(real),
    'MB/s, labels only': megabytes(worst),
    'ms for 500 characters, p50 / p99': `${digits(quantile(short, 0.5))} / ${digits(quantile(short, 0.99))}`,
  };
}

function cutText(text: string, length: number): string[] {
  return Array.from({ length: Math.floor(text.length / length) }, (_, i) => text.slice(i * length, (i + 1) * length));
}

/** Milliseconds for each text, the best of all passes. */
function timesOf(tag: Tag, texts: readonly string[]): number[] {
  const best = texts.map(() => Number.POSITIVE_INFINITY);
  for (let pass = 0; pass < PASSES; pass++) {
    for (const [i, text] of texts.entries()) {
      best[i] = Math.min(
        best[i] ?? Number.POSITIVE_INFINITY,
        timeOf(() => tag(text)),
      );
    }
  }
  return best;
}

/** Finds labels that stand in a text word for word, and nothing else. */
function naiveTagger(all: readonly string[]): Tag {
  const known = new Map(all.map((label) => [tokenize(label).join(' '), label]));
  return (text) => {
    const words = tokenize(text);
    const found = new Set<string>();
    for (let start = 0; start < words.length; start++) {
      for (let end = start + 1; end <= Math.min(words.length, start + LONGEST_LABEL); end++) {
        const label = known.get(words.slice(start, end).join(' '));
        if (label !== undefined) found.add(label);
      }
    }
    return { length: found.size };
  };
}
