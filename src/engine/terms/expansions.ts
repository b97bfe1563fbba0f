import { getOrAdd } from '../maps.ts';
import type { Expansion, Phrase } from '../objects/types.ts';
import { isStopword } from '../text/stopwords.ts';
import { listConceptLabels, listConceptLinks, type OpenTerms, readLabelWords } from './concept-view.ts';
import { descendTrie, enterTrie, findTrieOwnersEnd } from './sequence-trie.ts';
import { labelRoles, linkKinds, NONE } from './term-data.ts';

const MAX_PHRASES = 8;
const NEAR_LINKS: readonly number[] = [linkKinds.related, linkKinds.narrower];
type Span = { readonly start: number; readonly end: number; readonly labels: readonly number[] };

/** At this number of spans, of a few kB each, the cache is cleared. */
const MAX_CACHED_SPANS = 2_000;

/** Finds the longest spans of a query's words that are labels, with other phrases for them. */
export function createExpansionFinder(terms: OpenTerms) {
  const { vocabulary } = terms;
  const cache = new Map<string, Phrases>();
  const phrasesOf = (spanWords: string, labels: readonly number[]) => {
    if (cache.size >= MAX_CACHED_SPANS) cache.clear();
    return getOrAdd(cache, `${spanWords}\n${labels}`, () => findExpansionPhrases(terms, spanWords, labels));
  };
  return (words: readonly string[], lang?: string): Expansion[] => {
    const langs = vocabulary.langs.flatMap((code, ordinal) => (lang === undefined || code === lang ? [ordinal] : []));
    const spans = new Map<string, Span>();
    for (const ordinal of langs) {
      for (const span of findExpansionSpans(terms, words, ordinal)) {
        const key = `${span.start} ${span.end}`;
        spans.set(key, { ...span, labels: [...(spans.get(key)?.labels ?? []), ...span.labels] });
      }
    }
    const candidates = [...spans.values()];
    return candidates
      .filter((span) => !candidates.some((longer) => isWithinSpan(span, longer)))
      .sort((a, b) => a.start - b.start)
      .map(({ start, end, labels }) => {
        return { start, end, ...phrasesOf(words.slice(start, end).join(' '), labels) };
      });
  };
}

type Phrases = Pick<Expansion, 'synonyms' | 'related'>;

function isWithinSpan(span: Span, longer: Span): boolean {
  return longer.start <= span.start && longer.end >= span.end && longer.end - longer.start > span.end - span.start;
}

/** Finds the longest label that begins at each word. */
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
  const isPreferred = (label: number) => labels.roleOf[label] === labelRoles.preferred;
  const names = spanLabels.filter(isPreferred);
  const concepts = listExpandedConcepts(terms, names.length > 0 ? names : spanLabels);
  // Concepts with an alternative label of these words are mostly wider: `astronomie` for physics.
  const wider = listExpandedConcepts(terms, spanLabels).filter((concept) => !concepts.includes(concept));
  const near = concepts.flatMap((concept) =>
    [...listConceptLinks(terms, concept)].filter(({ kind }) => NEAR_LINKS.includes(kind)).map(({ target }) => target),
  );
  const synonyms = collectPhrases(
    terms,
    concepts.flatMap((concept) => [...listConceptLabels(terms, concept)]),
    new Set([spanWords]),
  );
  const excluded = new Set([spanWords, ...synonyms.map(({ words }) => words.join(' '))]);
  const relatedNames = [...near, ...wider].flatMap((concept) =>
    [...listConceptLabels(terms, concept)].filter(isPreferred),
  );
  return { synonyms, related: collectPhrases(terms, relatedNames, excluded) };
}

/** Lists the concepts of labels, those of the main taxonomy first. */
function listExpandedConcepts(terms: OpenTerms, spanLabels: readonly number[]): number[] {
  const { labels, concepts, mainSource } = terms;
  const main = concepts.sources.indexOf(mainSource);
  const isMain = (concept: number) => Number(concepts.sourceOf[concept] === main);
  const distinct = new Set(spanLabels.map((label) => labels.conceptOf[label]!));
  return [...distinct].sort((a, b) => isMain(b) - isMain(a) || a - b);
}

/** Reads the first MAX_PHRASES distinct phrases of labels, preferred labels first. */
function collectPhrases(terms: OpenTerms, ofLabels: readonly number[], excluded: ReadonlySet<string>): Phrase[] {
  const { labels, vocabulary } = terms;
  const phrases = new Map<string, Phrase>();
  const byRole = [...ofLabels].sort((a, b) => labels.roleOf[a]! - labels.roleOf[b]!);
  for (const label of byRole) {
    if (phrases.size >= MAX_PHRASES) break;
    const lang = vocabulary.langs[labels.langOf[label]!]!;
    const words = readLabelWords(terms, label).filter((word) => !isStopword(word, lang));
    const key = words.join(' ');
    if (key !== '' && !excluded.has(key)) phrases.set(key, { words, lang });
  }
  return [...phrases.values()];
}
