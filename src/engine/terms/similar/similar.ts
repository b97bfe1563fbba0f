import { fold } from '#engine/text/fold';
import {
  findConceptLabel,
  listConceptLabels,
  type OpenTerms,
  readConceptId,
  readConceptLabelText,
  readConceptSource,
} from '../concept-view.ts';
import { labelRoles } from '../term-data.ts';
import type { SimilarQuery, SimilarTerm } from '../types.ts';
import type { ConceptRanker } from './rank-concepts.ts';
import type { ConceptMatch } from './score-concepts.ts';
import { MAX_SYNONYMS, SYNONYM_SHARE } from './weights.ts';

/** Concepts ranked closely for each term that is returned: enough that what n-grams change is among them. */
const CANDIDATES_PER_TERM = 4;
const MIN_CANDIDATES = 80;
/** Terms of the own taxonomy that are this much weaker than the best of all do not come before it. */
const OWN_SHARE_OF_BEST = 0.35;
/** Synonyms of weak matches would be noise. */
const SYNONYMS_FROM = 0.65;

/** Terms like the keywords. The own taxonomy comes first, but leaves half of the places to the others when they have terms. */
export function createSimilar(terms: OpenTerms, rank: ConceptRanker) {
  return ({ keywords, lang, source, max }: SimilarQuery): SimilarTerm[] => {
    const synonymSource = `${terms.ownSource} synonyms`;
    const wanted = source === synonymSource ? terms.ownSource : source;
    const sourceOrdinal = wanted === undefined ? -1 : terms.concepts.sources.indexOf(wanted);
    if (wanted !== undefined && sourceOrdinal < 0) return [];
    const accepts = (concept: number) =>
      wanted === undefined || terms.concepts.sourceOf[concept] === sourceOrdinal;
    const limit = Math.max(MIN_CANDIDATES, max * CANDIDATES_PER_TERM);
    const only = wanted === undefined ? {} : { source: sourceOrdinal };
    const matches = rank({ keywords, lang, isMeant: true }, { accepts, limit, ...only });
    const own = matches.filter(({ concept }) => readConceptSource(terms, concept) === terms.ownSource);
    const ownTerms = own.flatMap((match) => [
      toTerm(terms, match, lang),
      ...synonymsOf(terms, match, { lang, source: synonymSource }),
    ]);
    const others = matches
      .filter(({ concept }) => readConceptSource(terms, concept) !== terms.ownSource)
      .map((match) => toTerm(terms, match, lang));
    const isWanted = (term: SimilarTerm) => source === undefined || term.source === source;
    return join(distinct(ownTerms).filter(isWanted), distinct(others).filter(isWanted), max);
  };
}

function join(own: readonly SimilarTerm[], others: readonly SimilarTerm[], max: number): SimilarTerm[] {
  const best = Math.max(others[0]?.score ?? 0, own[0]?.score ?? 0);
  const strongOwn = own.filter(({ score }) => score >= best * OWN_SHARE_OF_BEST);
  const places = Math.max(Math.ceil(max / 2), max - others.length);
  return [...strongOwn.slice(0, places), ...others].slice(0, max);
}

function toTerm(terms: OpenTerms, { concept, score, match }: ConceptMatch, lang: string): SimilarTerm {
  return {
    label: readConceptLabelText(terms, findConceptLabel(terms, concept, lang)),
    source: readConceptSource(terms, concept),
    score,
    conceptId: readConceptId(terms, concept),
    match,
  };
}

function synonymsOf(
  terms: OpenTerms,
  { concept, label: matched, score, match }: ConceptMatch,
  { lang, source }: { lang: string; source: string },
): SimilarTerm[] {
  if (score < SYNONYMS_FROM) return [];
  const shown = terms.labels.langOf[findConceptLabel(terms, concept, lang)];
  const conceptId = readConceptId(terms, concept);
  return [...listConceptLabels(terms, concept)]
    .filter(
      (label) =>
        terms.labels.roleOf[label] === labelRoles.alternative && terms.labels.langOf[label] === shown,
    )
    .map((label) => ({ label, score: label === matched ? score : score * SYNONYM_SHARE }))
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SYNONYMS)
    .map((synonym) => ({
      label: readConceptLabelText(terms, synonym.label),
      source,
      score: synonym.score,
      conceptId,
      match,
    }));
}

/** Best first, one term for each label of each source. */
function distinct(found: readonly SimilarTerm[]): SimilarTerm[] {
  const seen = new Set<string>();
  return [...found]
    .sort((a, b) => b.score - a.score)
    .filter(({ label, source }) => {
      const key = `${source}\n${fold(label)}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
}
