import { hashString, mixHash } from '../../../src/engine/hash.ts';
import {
  type HitTier,
  type ObjectAnswer,
  type ObjectDocument,
  type ObjectHit,
  type ObjectQuery,
  valueFields,
} from '../../../src/engine/objects/types.ts';
import {
  CONFIDENCE_FLOOR,
  CONTEXT_SHARE,
  FITTING_COVERAGE,
  FITTING_EVIDENCE,
  FITTING_PHRASE,
  MIN_EVIDENCE,
  meaningWeights,
  POPULARITY_LIFT,
  SCORE_STEPS,
  SHUFFLE_STEPS,
  tierFactors,
} from '../../../src/engine/objects/weights.ts';
import { measureIdf } from '../../../src/engine/text/term.ts';
import { type NaiveDocument, readDocument } from './naive-document.ts';
import { type Judged, judge, keptShare, popularityOf } from './naive-facts.ts';
import { type NaiveGroup, naiveGroups } from './naive-groups.ts';
import { type NaiveNearness, naiveMeaning } from './naive-meaning.ts';

interface Match {
  readonly document: ObjectDocument;
  readonly judged: readonly Judged[];
  readonly rank: number;
  readonly tier: HitTier;
  readonly complete: boolean;
  readonly likeness: number;
}

/** The formula of DESIGN.md worked out for every document in turn: no inverted index, no bitsets,
 *  no heap.
 *  @param documents with distinct ids, in the order in which they were put */
export function naiveSearch(documents: readonly ObjectDocument[], query: ObjectQuery): ObjectAnswer {
  const read = documents.map(readDocument);
  const { groups, corrections, truncated, lang } = naiveGroups(read, query);
  const ordered = [...groups].sort((a, b) => Number(a.share < 1) - Number(b.share < 1) || a.frequency - b.frequency);
  const idfs = naiveIdfs(ordered, documents.length);
  const nearnessOf = naiveMeaning(documents, { ...query, keywords: subjectOf(query.keywords, groups) }, lang);
  const matches = read
    .map((document) => matchOf(document, ordered, idfs, { query, lang, ...nearnessOf(document.document) }))
    .filter((match) => match !== null);
  const isKept = ({ judged }: Match) => judged.every((one) => !one.strict || one.judgement === 'meets');
  const ranked = matches.filter(isKept).sort(compareMatches);
  const hits = (query.sort === 'popularity' ? arrange(ranked, query) : ranked).map(hitOf);
  const first = hits.slice(0, query.limit);
  const isExact = (hit: ObjectHit) => hit.complete && hit.unmet.length === 0;
  return {
    hits: hits.slice(query.offset, query.offset + query.limit),
    total: ranked.length,
    fitting: ranked.filter(({ tier }) => tier !== 'close').length,
    exact: !truncated && first.length > 0 && first.every(isExact),
    ...(ranked.length > 0 && corrections.size > 0 && { corrections }),
    ...(query.details && { facets: facetsOf(matches) }),
  };
}

/** Of four words or more, those that name the subject. */
function subjectOf(keywords: string, groups: readonly NaiveGroup[]): string {
  const words = groups.filter(({ share }) => share !== CONTEXT_SHARE);
  const subject = words.filter(({ share }) => share === 1);
  return words.length < 4 || subject.length === 0 ? keywords : subject.map(({ word }) => word).join(' ');
}

/** A word that nobody wrote counts like the mean of the others. */
function naiveIdfs(groups: readonly NaiveGroup[], documents: number): number[] {
  const known = groups.filter(({ frequency, share }) => frequency > 0 && share !== CONTEXT_SHARE);
  const idfOf = ({ frequency }: NaiveGroup) => measureIdf(documents, Math.min(documents, frequency));
  const mean = known.map(idfOf).reduce((sum, value) => sum + value, 0) / known.length;
  const most = Math.max(...known.map(idfOf));
  return groups.map((group) => {
    const idf = group.frequency > 0 ? idfOf(group) : mean;
    return (group.share === CONTEXT_SHARE ? Math.min(idf, most) : idf) * group.share;
  });
}

function matchOf(
  naive: NaiveDocument,
  groups: readonly NaiveGroup[],
  idfs: readonly number[],
  { query, lang, likeness, evidence, isUnlike }: { query: ObjectQuery; lang: string | null } & NaiveNearness,
): Match | null {
  const isFound = ({ sources }: NaiveGroup) => sources.some((source) => source.impactIn(naive) > 0);
  /** Others of the words that a taxonomy names together are not there. */
  const isPartOfPhrase = (g: number) =>
    groups.some((other) => other.phrase !== null && other.phrase === groups[g]!.phrase && !isFound(other));
  let worth = 0;
  let hits = 0;
  let found = 0;
  let exact = 0;
  let mass = 0;
  for (const [g, { sources, share }] of groups.entries()) {
    const factor = (weight: number) => Math.max(1, Math.round(idfs[g]! * weight * SCORE_STEPS));
    const here = sources.filter((source) => source.impactIn(naive) > 0);
    if (here.length === 0) continue;
    worth += Math.max(...here.map((source) => factor(source.weight) * source.impactIn(naive)));
    hits++;
    if (share < 1) continue;
    if (!isPartOfPhrase(g)) mass += idfs[g]!;
    found++;
    if (here.some((source) => source.isExact)) exact++;
  }
  const required = groups.filter(({ share }) => share === 1).length;
  const sum = idfs.slice(0, required).reduce((total, value) => total + value, 0);
  const coverage = hits === 0 ? 0 : found === required ? 1 : mass / sum;
  const hasWords = hits > 0 && coverage >= (query.model === 'strict' ? 1 : CONFIDENCE_FLOOR);
  const phrases = new Set(groups.flatMap(({ phrase }) => phrase ?? []));
  const full = 255 * SCORE_STEPS * sum;
  const hasPhrase = [...phrases].some((phrase) => groups.every((group) => group.phrase !== phrase || isFound(group)));
  const saysEnough =
    query.model === 'strict' ||
    worth >= FITTING_EVIDENCE * full ||
    (hasPhrase && worth >= Math.max(MIN_EVIDENCE, FITTING_PHRASE * coverage) * full);
  const isMeant = hasWords && evidence >= meaningWeights.fitting;
  const isFitting = isMeant || (hasWords && saysEnough && (coverage >= FITTING_COVERAGE || hasPhrase));
  const hasAll = coverage === 1 && (required > 1 || worth >= MIN_EVIDENCE * full);
  const { looseFrom } = query;
  const isClose = hasWords && !isUnlike && (looseFrom === undefined ? saysEnough || hasAll : worth >= looseFrom * full);
  const isFoundByWords = isFitting || isClose;
  if (!isFoundByWords && evidence < meaningWeights.near) return null;
  const { document } = naive;
  const first = query.instruction ?? (query.filters.lang === undefined ? lang : null);
  const isSpoken = first === null || first === document.lang;
  const judged = judge(document, query.filters);
  const kept = keptShare(judged.filter((one) => !one.strict));
  const popularity = popularityOf(document);
  const lift = popularity === undefined ? 1 : 1 + POPULARITY_LIFT * Math.fround(popularity);
  const said = isFoundByWords ? worth : 0;
  const share = isFoundByWords ? coverage : 0;
  const meant = likeness * (meaningWeights.order * (full || 255 * SCORE_STEPS));
  const tierKept = kept * (isFitting ? 1 : tierFactors.close);
  const relevance =
    ((said / (255 * SCORE_STEPS)) * ((0.5 + 0.5 * share) * tierKept) + (meant / (255 * SCORE_STEPS)) * tierKept) *
    (isSpoken ? 1 : tierFactors['other-language']) *
    lift;
  const left = document.isDead ? kept * lift : kept;
  const step = isFitting ? 1 + Number(isSpoken) : 0;
  const near = (said * share + meant) * kept;
  const below = 2 ** 25 * Number(!isSpoken) + 2 ** 26 * Number(!isFitting) + 2 ** 27 * Number(document.isDead === true);
  const tie = near / (near + 255 * SCORE_STEPS);
  const shuffled = mixHash(hashString(document.id) ^ hashString(query.seed ?? ''));
  return {
    document,
    judged,
    rank: {
      popularity: relevance,
      random: (Math.round(left * SHUFFLE_STEPS) + step * (SHUFFLE_STEPS + 1)) * 2 ** 32 + shuffled,
      shortest: -Math.ceil(document.minutes ?? 2 ** 24) - below + tie,
      newest: (document.day ?? 0) - 2 ** 24 - below + tie,
    }[query.sort],
    tier: !isFitting ? 'close' : isSpoken ? 'fitting' : 'other-language',
    complete: exact === required,
    likeness: evidence,
  };
}

/** `sort` is stable, so what is equal in both stays in the order in which it was put. */
function compareMatches(a: Match, b: Match): number {
  return b.rank - a.rank || hashString(a.document.id) - hashString(b.document.id);
}

/** Arranges the first hits by pairwise comparison; there are fewer than the index arranges. */
function arrange(ranked: readonly Match[], { filters }: ObjectQuery): readonly Match[] {
  const inEnglish = ({ document, rank }: Match) => rank * 2 ** 40 * (document.lang === 'en' ? 1 : 0.7);
  const foreign = ranked.filter(({ tier }) => tier === 'other-language');
  const best = Math.max(0, ...foreign.map(inEnglish));
  const placed = ranked.map((match) => {
    const isWeak = match.tier === 'fitting' && match.rank < 0.8 * best;
    if (isWeak) return { place: 2, worth: match.rank, match: { ...match, tier: 'close' as const } };
    const place = { fitting: 0, 'other-language': 1, close: 3 }[match.tier];
    return { place, worth: place === 1 ? inEnglish(match) : match.rank, match };
  });
  const left = placed.sort((a, b) => a.place - b.place || b.worth - a.worth).map(({ match }) => match);
  if (filters.provider !== undefined) return left;
  const first: Match[] = [];
  while (first.length < 5 && left.length > 0) {
    const [{ tier, rank }] = left as [Match];
    const isAllowed = ({ document }: Match) =>
      first.filter((match) => match.document.provider === document.provider).length < 3;
    const next = left.find((match) => isAllowed(match) && match.tier === tier && match.rank >= 0.8 * rank);
    first.push(...left.splice(next === undefined ? 0 : left.indexOf(next), 1));
  }
  return [...first, ...left];
}

function hitOf({ document, judged, rank, tier, complete, likeness }: Match): ObjectHit {
  const { id, lang, provider } = document;
  const unmet = judged.filter(({ judgement }) => judgement !== 'meets').map(({ name }) => name);
  return { id, score: rank, tier, lang, provider, likeness, unmet, complete };
}

function facetsOf(matches: readonly Match[]): NonNullable<ObjectAnswer['facets']> {
  const entries = valueFields.map((field) => {
    const counts = new Map<string, number>();
    for (const { document, judged } of matches) {
      const isOut = judged.some((one) => one.strict && one.judgement !== 'meets' && one.name !== field);
      if (isOut) continue;
      const { provider, lang, types, blooms } = document;
      const values = { provider: [provider], lang: [lang], type: types, bloom: blooms }[field];
      for (const value of new Set(values)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [field, counts];
  });
  return Object.fromEntries(entries);
}
