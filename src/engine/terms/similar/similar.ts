import { fold } from '#engine/text/fold';
import {
  findConceptLabel,
  listConceptLabels,
  type OpenTerms,
  readConceptId,
  readConceptSource,
  readConceptUri,
  readLabelText,
} from '../concept-view.ts';
import { labelRoles } from '../term-data.ts';
import type { SimilarQuery, SimilarTerm } from '../types.ts';
import type { ConceptRanker } from './rank-concepts.ts';
import type { ConceptMatch } from './score-concepts.ts';
import { MAX_SYNONYMS, SYNONYM_SHARE } from './weights.ts';

/** Concepts that are ranked closely for each term to return, and the least number of them. */
const CANDIDATES_PER_TERM = 4;
const MIN_CANDIDATES = 80;
/** Terms of the main taxonomy come first only if they have this share of the best score. */
const MAIN_SHARE_OF_BEST = 0.35;
const MIN_SYNONYM_SCORE = 0.65;

/** Creates a function that finds similar terms. The main taxonomy comes first, and leaves half
 *  of the places to other taxonomies that have terms. */
export function createSimilar(terms: OpenTerms, rank: ConceptRanker) {
  return ({ keywords, lang, source, max }: SimilarQuery): SimilarTerm[] => {
    const synonymSource = `${terms.mainSource} synonyms`;
    const taxonomy = source === synonymSource ? terms.mainSource : source;
    const sourceOrdinal = taxonomy === undefined ? -1 : terms.concepts.sources.indexOf(taxonomy);
    if (taxonomy !== undefined && sourceOrdinal < 0) return [];
    const accepts = (concept: number) => taxonomy === undefined || terms.concepts.sourceOf[concept] === sourceOrdinal;
    const limit = Math.max(MIN_CANDIDATES, max * CANDIDATES_PER_TERM);
    const only = taxonomy === undefined ? {} : { source: sourceOrdinal };
    const matches = rank({ keywords, lang, usesMeaning: true }, { accepts, limit, ...only });
    const isMain = ({ concept }: ConceptMatch) => readConceptSource(terms, concept) === terms.mainSource;
    const main = matches
      .filter(isMain)
      .flatMap((match) => [
        toCandidate(terms, match, lang),
        ...listSynonyms(terms, match, { lang, source: synonymSource }),
      ]);
    const lesser = matches.filter((match) => !isMain(match)).map((match) => toCandidate(terms, match, lang));
    const readTerms = (candidates: readonly Candidate[]) => {
      const wanted = candidates.filter((candidate) => source === undefined || candidate.source === source);
      return readFirstTerms(terms, wanted, max);
    };
    return joinSimilarTerms(readTerms(main), readTerms(lesser), max);
  };
}

/** @param main of the main taxonomy, best first @param lesser of the others, best first */
function joinSimilarTerms(main: readonly SimilarTerm[], lesser: readonly SimilarTerm[], max: number): SimilarTerm[] {
  const best = Math.max(lesser[0]?.score ?? 0, main[0]?.score ?? 0);
  const strong = main.filter(({ score }) => score >= best * MAIN_SHARE_OF_BEST);
  const places = Math.max(Math.ceil(max / 2), max - lesser.length);
  return [...strong.slice(0, places), ...lesser].slice(0, max);
}

/** A term whose texts have not been read yet, as most are not returned. */
interface Candidate extends ConceptMatch {
  readonly source: string;
}

function toCandidate(terms: OpenTerms, { concept, score, match }: ConceptMatch, lang: string): Candidate {
  const label = findConceptLabel(terms, concept, lang);
  return { concept, label, source: readConceptSource(terms, concept), score, match };
}

function listSynonyms(
  terms: OpenTerms,
  { concept, label: matched, score, match }: ConceptMatch,
  { lang, source }: { lang: string; source: string },
): Candidate[] {
  if (score < MIN_SYNONYM_SCORE) return [];
  const { roleOf, langOf } = terms.labels;
  const labelLang = langOf[findConceptLabel(terms, concept, lang)];
  return [...listConceptLabels(terms, concept)]
    .filter((label) => roleOf[label] === labelRoles.alternative && langOf[label] === labelLang)
    .map((label) => ({ concept, label, source, score: label === matched ? score : score * SYNONYM_SHARE, match }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SYNONYMS);
}

/** Reads the best terms, each text of a source once. */
function readFirstTerms(terms: OpenTerms, candidates: readonly Candidate[], max: number): SimilarTerm[] {
  const distinct = new Map<string, SimilarTerm>();
  for (const { concept, label: ordinal, source, score, match } of [...candidates].sort((a, b) => b.score - a.score)) {
    if (distinct.size === max) break;
    const label = readLabelText(terms, ordinal);
    const key = `${source}\n${fold(label)}`;
    if (distinct.has(key)) continue;
    const ids = { conceptId: readConceptId(terms, concept), uri: readConceptUri(terms, concept) };
    distinct.set(key, { label, source, score, ...ids, match });
  }
  return [...distinct.values()];
}
