import { fold } from '#engine/text/fold';
import {
  findConceptLabel,
  listConceptLabels,
  type OpenTerms,
  readConceptId,
  readConceptLabelText,
  readConceptSource,
  readConceptUri,
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

/** The main taxonomy comes first, and leaves half of the places to others with terms. */
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
    const main = matches.filter(({ concept }) => readConceptSource(terms, concept) === terms.mainSource);
    const mainTerms = main.flatMap((match) => [
      toTerm(terms, match, lang),
      ...listSynonyms(terms, match, { lang, source: synonymSource }),
    ]);
    const others = matches
      .filter(({ concept }) => readConceptSource(terms, concept) !== terms.mainSource)
      .map((match) => toTerm(terms, match, lang));
    const isWanted = (term: SimilarTerm) => source === undefined || term.source === source;
    return joinSimilarTerms(listDistinct(mainTerms).filter(isWanted), listDistinct(others).filter(isWanted), max);
  };
}

function joinSimilarTerms(main: readonly SimilarTerm[], others: readonly SimilarTerm[], max: number): SimilarTerm[] {
  const best = Math.max(others[0]?.score ?? 0, main[0]?.score ?? 0);
  const strong = main.filter(({ score }) => score >= best * MAIN_SHARE_OF_BEST);
  const places = Math.max(Math.ceil(max / 2), max - others.length);
  return [...strong.slice(0, places), ...others].slice(0, max);
}

function toTerm(terms: OpenTerms, { concept, score, match }: ConceptMatch, lang: string): SimilarTerm {
  return {
    label: readConceptLabelText(terms, findConceptLabel(terms, concept, lang)),
    source: readConceptSource(terms, concept),
    score,
    conceptId: readConceptId(terms, concept),
    uri: readConceptUri(terms, concept),
    match,
  };
}

function listSynonyms(
  terms: OpenTerms,
  { concept, label: matched, score, match }: ConceptMatch,
  { lang, source }: { lang: string; source: string },
): SimilarTerm[] {
  if (score < MIN_SYNONYM_SCORE) return [];
  const labelLang = terms.labels.langOf[findConceptLabel(terms, concept, lang)];
  const ids = { conceptId: readConceptId(terms, concept), uri: readConceptUri(terms, concept) };
  return [...listConceptLabels(terms, concept)]
    .filter(
      (label) => terms.labels.roleOf[label] === labelRoles.alternative && terms.labels.langOf[label] === labelLang,
    )
    .map((label) => ({ label, score: label === matched ? score : score * SYNONYM_SHARE }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SYNONYMS)
    .map((synonym) => ({
      label: readConceptLabelText(terms, synonym.label),
      source,
      score: synonym.score,
      ...ids,
      match,
    }));
}

function listDistinct(terms: readonly SimilarTerm[]): SimilarTerm[] {
  const keys = new Set<string>();
  return [...terms]
    .sort((a, b) => b.score - a.score)
    .filter(({ label, source }) => {
      const key = `${source}\n${fold(label)}`;
      if (keys.has(key)) return false;
      keys.add(key);
      return true;
    });
}
