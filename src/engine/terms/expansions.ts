import { getOrAdd } from '../maps.ts';
import { isStopword } from '../text/stopwords.ts';
import { listConceptLabels, listConceptLinks, type OpenTerms, readLabelWords } from './concept-view.ts';
import { descendTrie, enterTrie, findTrieOwnersEnd } from './sequence-trie.ts';
import { labelRoles, linkKinds, NONE } from './term-data.ts';
import type { TermExpansion, TermPhrase } from './types.ts';

const MAX_PHRASES = 8;
const NEAR: readonly number[] = [linkKinds.related, linkKinds.narrower];
type Span = { readonly start: number; readonly end: number; readonly labels: readonly number[] };

/** Spans in the cache, of a few kB each; at this number, it is cleared. */
const MAX_CACHED_SPANS = 2_000;

/** Spans of a query's words that are labels, with other phrases; only the longest ones. */
export function createExpansionFinder(terms: OpenTerms) {
  const { vocabulary } = terms;
  const phrasesOf = cacheExpansionPhrases((spanWords, labels) => findExpansionPhrases(terms, spanWords, labels));
  return (words: readonly string[], lang?: string): TermExpansion[] => {
    const langs = vocabulary.langs.flatMap((code, ordinal) => (lang === undefined || code === lang ? [ordinal] : []));
    const spans = new Map<string, Span>();
    for (const ordinal of langs) {
      for (const span of findExpansionSpans(terms, words, ordinal)) {
        const key = `${span.start} ${span.end}`;
        spans.set(key, { ...span, labels: [...(spans.get(key)?.labels ?? []), ...span.labels] });
      }
    }
    const all = [...spans.values()];
    return all
      .filter((span) => !all.some((other) => isWithinSpan(span, other)))
      .sort((a, b) => a.start - b.start)
      .map(({ start, end, labels }) => {
        return { start, end, ...phrasesOf(words.slice(start, end).join(' '), labels) };
      });
  };
}

type Phrases = Pick<TermExpansion, 'synonyms' | 'related'>;
type FindPhrases = (spanWords: string, labels: readonly number[]) => Phrases;

function cacheExpansionPhrases(find: FindPhrases): FindPhrases {
  const cache = new Map<string, Phrases>();
  return (spanWords, labels) => {
    if (cache.size >= MAX_CACHED_SPANS) cache.clear();
    return getOrAdd(cache, `${spanWords}\n${labels}`, () => find(spanWords, labels));
  };
}

function isWithinSpan(span: Span, other: Span): boolean {
  return other.start <= span.start && other.end >= span.end && other.end - other.start > span.end - span.start;
}

/** The longest label that begins at each word. */
function findExpansionSpans({ lexicon, phrases }: OpenTerms, words: readonly string[], lang: number): Span[] {
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

function findExpansionPhrases(terms: OpenTerms, spanWords: string, spanLabels: readonly number[]): Phrases {
  const { labels } = terms;
  const preferredOnes = spanLabels.filter((label) => labels.roleOf[label] === labelRoles.preferred);
  const concepts = listExpandedConcepts(terms, preferredOnes.length > 0 ? preferredOnes : spanLabels);
  // Concepts with an alternative label of these words are mostly wider: `astronomie` for physics.
  const wider = listExpandedConcepts(terms, spanLabels).filter((concept) => !concepts.includes(concept));
  const near = concepts.flatMap((concept) =>
    [...listConceptLinks(terms, concept)].filter(({ kind }) => NEAR.includes(kind)).map(({ target }) => target),
  );
  const synonyms = collectPhrases(
    terms,
    concepts.flatMap((concept) => [...listConceptLabels(terms, concept)]),
    new Set([spanWords]),
  );
  const excluded = new Set([spanWords, ...synonyms.map(({ words }) => words.join(' '))]);
  const preferred = [...near, ...wider].flatMap((concept) =>
    [...listConceptLabels(terms, concept)].filter((label) => labels.roleOf[label] === labelRoles.preferred),
  );
  return { synonyms, related: collectPhrases(terms, preferred, excluded) };
}

function listExpandedConcepts({ labels, concepts, mainSource }: OpenTerms, list: readonly number[]): number[] {
  const main = concepts.sources.indexOf(mainSource);
  const isOther = (concept: number) => (concepts.sourceOf[concept] === main ? 0 : 1);
  const distinct = new Set(list.map((label) => labels.conceptOf[label]!));
  return [...distinct].sort((a, b) => isOther(a) - isOther(b) || a - b);
}

/** The first MAX_PHRASES distinct phrases of labels, preferred labels first. */
function collectPhrases(terms: OpenTerms, list: readonly number[], excluded: ReadonlySet<string>): TermPhrase[] {
  const { labels, vocabulary } = terms;
  const phrases = new Map<string, TermPhrase>();
  const byRole = [...list].sort((a, b) => labels.roleOf[a]! - labels.roleOf[b]!);
  for (const label of byRole) {
    if (phrases.size >= MAX_PHRASES) break;
    const lang = vocabulary.langs[labels.langOf[label]!]!;
    const words = readLabelWords(terms, label).filter((word) => !isStopword(word, lang));
    const key = words.join(' ');
    if (key !== '' && !excluded.has(key)) phrases.set(key, { words, lang });
  }
  return [...phrases.values()];
}
