import { isStopword } from '../text/stopwords.ts';
import { listConceptLabels, listLinks, type OpenTerms, readConceptLabelWords } from './concept-view.ts';
import { descendTrie, enterTrie, findTrieOwnersEnd } from './sequence-trie.ts';
import { labelRoles, linkKinds, NONE } from './term-data.ts';
import type { TermExpansion, TermPhrase } from './types.ts';

const MAX_PHRASES = 8;
/** Links to concepts that one would also want to find. */
const NEAR: readonly number[] = [linkKinds.related, linkKinds.narrower];

interface Span {
  readonly start: number;
  readonly end: number;
  /** Labels that are these words. */
  readonly labels: readonly number[];
}

/** Spans whose phrases are remembered, a few kB each; they are forgotten together. */
const MAX_KNOWN = 2_000;

/** Spans of a query's words that are labels, with other words for them. Of nested spans, the longest counts. */
export function createExpander(terms: OpenTerms) {
  const { vocabulary } = terms;
  const phrasesOf = rememberPhrases((spanWords, labels) => findPhrases(terms, spanWords, labels));
  return (words: readonly string[], lang?: string): TermExpansion[] => {
    const langs = vocabulary.langs.flatMap((code, ordinal) =>
      lang === undefined || code === lang ? [ordinal] : [],
    );
    const spans = new Map<string, Span>();
    for (const ordinal of langs) {
      for (const span of spansIn(terms, words, ordinal)) {
        const key = `${span.start} ${span.end}`;
        spans.set(key, { ...span, labels: [...(spans.get(key)?.labels ?? []), ...span.labels] });
      }
    }
    const all = [...spans.values()];
    return all
      .filter((span) => !all.some((other) => isWithin(span, other)))
      .sort((a, b) => a.start - b.start)
      .map(({ start, end, labels }) => {
        return { start, end, ...phrasesOf(words.slice(start, end).join(' '), labels) };
      });
  };
}

type Phrases = Pick<TermExpansion, 'synonyms' | 'related'>;
/** Other words for a span, given with spaces between, that is these labels. */
type FindPhrases = (spanWords: string, labels: readonly number[]) => Phrases;

/** The same with a memory of its last results: queries contain the same few labels. */
function rememberPhrases(find: FindPhrases): FindPhrases {
  const known = new Map<string, Phrases>();
  return (spanWords, labels) => {
    const key = `${spanWords}\n${labels}`;
    let found = known.get(key);
    if (found === undefined) {
      found = find(spanWords, labels);
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(key, found);
    }
    return found;
  };
}

function isWithin(span: Span, other: Span): boolean {
  return (
    other.start <= span.start && other.end >= span.end && other.end - other.start > span.end - span.start
  );
}

/** The longest label that begins at each word. */
function spansIn({ lexicon, phrases }: OpenTerms, words: readonly string[], lang: number): Span[] {
  const sequence = words.map((word) => lexicon.findTerm(word, lang));
  return sequence.flatMap((first, start) => {
    if (first === NONE) return [];
    let longest: Span[] = [];
    let node = enterTrie(phrases, first);
    for (let end = start + 1; node.low < node.high; end++) {
      const labels = [...phrases.owner.subarray(node.low, findTrieOwnersEnd(phrases, node))];
      if (labels.length > 0) longest = [{ start, end, labels }];
      const next = sequence[end];
      if (next === undefined || next === NONE) break;
      node = descendTrie(phrases, node, next);
    }
    return longest;
  });
}

function findPhrases(terms: OpenTerms, spanWords: string, found: readonly number[]): Phrases {
  const { labels } = terms;
  const named = found.filter((label) => labels.roleOf[label] === labelRoles.preferred);
  const concepts = conceptsOf(terms, named.length > 0 ? named : found);
  // A concept with another name that also goes by these words is mostly wider: `astronomie` is a word for physics, too.
  const wider = conceptsOf(terms, found).filter((concept) => !concepts.includes(concept));
  const near = concepts.flatMap((concept) =>
    [...listLinks(terms, concept)].filter(({ kind }) => NEAR.includes(kind)).map(({ target }) => target),
  );
  const synonyms = collectPhrases(
    terms,
    concepts.flatMap((concept) => [...listConceptLabels(terms, concept)]),
    new Set([spanWords]),
  );
  const known = new Set([spanWords, ...synonyms.map(({ words }) => words.join(' '))]);
  const preferred = [...near, ...wider].flatMap((concept) =>
    [...listConceptLabels(terms, concept)].filter((label) => labels.roleOf[label] === labelRoles.preferred),
  );
  return { synonyms, related: collectPhrases(terms, preferred, known) };
}

/** Each once, our own first. */
function conceptsOf(terms: OpenTerms, found: readonly number[]): number[] {
  return [...new Set(found.map((label) => terms.labels.conceptOf[label]!))].sort(ownFirst(terms));
}

/** Preferred labels come before alternative ones, because the list is cut. */
function collectPhrases(
  terms: OpenTerms,
  found: readonly number[],
  known: ReadonlySet<string>,
): TermPhrase[] {
  const { labels, vocabulary } = terms;
  const phrases = new Map<string, TermPhrase>();
  const byRole = [...found].sort((a, b) => labels.roleOf[a]! - labels.roleOf[b]!);
  for (const label of byRole) {
    if (phrases.size >= MAX_PHRASES) break;
    const lang = vocabulary.langs[labels.langOf[label]!]!;
    const words = readConceptLabelWords(terms, label).filter((word) => !isStopword(word, lang));
    const key = words.join(' ');
    if (key !== '' && !known.has(key)) phrases.set(key, { words, lang });
  }
  return [...phrases.values()];
}

function ownFirst({ concepts, ownSource }: OpenTerms): (a: number, b: number) => number {
  const own = concepts.sources.indexOf(ownSource);
  const isOther = (concept: number) => (concepts.sourceOf[concept] === own ? 0 : 1);
  return (a, b) => isOther(a) - isOther(b) || a - b;
}
