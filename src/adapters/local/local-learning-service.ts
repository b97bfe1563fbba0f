import type { Topic } from '#domain/catalog';
import type { LearningObject } from '#domain/learning-object';
import type { LearningObjectQuery } from '#domain/learning-object-query';
import type { ObjectAnswer } from '#engine/objects/types';
import type { TermIndex } from '#engine/terms/types';
import { fold } from '#engine/text/fold';
import { findMatches } from '#engine/text/term';
import { AppError } from '#errors';
import type { Clock } from '#ports/clock';
import type { Encoder } from '#ports/encoder';
import type {
  AlikeAnswer,
  BrowseAnswer,
  BrowseRequest,
  CallOptions,
  Highlight,
  LearningService,
  OperationAnswer,
  OperationName,
  OperationRequest,
  SearchAnswer,
  SimilarRequest,
  SuggestAnswer,
  SuggestRequest,
  TaggerRequest,
  TagSet,
  Term,
} from '#ports/learning-service';
import type { ProviderRecord } from '../catalog/catalog-schema.ts';
import { type Browse, createBrowse } from './browse.ts';
import type { CatalogView, KnownObject, ViewOf } from './catalog-view.ts';
import type { Geocoder } from './gazetteer.ts';
import { bloomList, createProviderLists, makeLanguageList, type ProviderLists, typeList } from './lists.ts';
import type { RequestIds } from './request-ids.ts';
import { rememberSearches, type Search, searchLearningObjects } from './search-learning-objects.ts';

const WORD = /[\p{L}\p{N}]+/gu;

export interface LocalLearningServiceDeps {
  readonly viewOf: ViewOf;
  /** Those of the version, without what tenants changed. */
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  readonly terms: TermIndex;
  readonly topics: readonly Topic[];
  readonly geocoder: Geocoder;
  readonly requestIds: RequestIds;
  readonly clock: Clock;
  /** Public address of this host, without a slash at the end; logos are served from there. */
  readonly publicUrl: string;
  /** Absent where answers go by words alone. */
  readonly encoder?: Encoder | undefined;
}

/** One version of a catalogue, with the answers it has given. */
interface Local extends Pick<LocalLearningServiceDeps, 'viewOf' | 'terms' | 'requestIds'> {
  readonly search: Search;
  readonly browse: Browse;
  readonly listProviders: ProviderLists;
}

const DEFAULT_TERMS = 20;
const DEFAULT_TAGS = 10;
const MAX_SUGGESTIONS = 10;
const MAX_ALIKE = 100;
/** The engine's words in the specification's code. */
const qualities = { exact: 'A00', loose: 'B00', none: 'C00' } as const;

const handlers: {
  readonly [N in OperationName]: (
    local: Local,
    request: OperationRequest<N>,
    options: CallOptions,
  ) => Promise<OperationAnswer<N>>;
} = {
  similar: findSimilarTerms,
  tagger: tagText,
  suggest: suggestTerms,
  listProviders: async ({ viewOf, listProviders }, _, { layer }) =>
    listProviders((await viewOf(layer)).providers),
  listTypes: async () => typeList,
  listBlooms: async () => bloomList,
  listLanguages: async ({ viewOf }, _, { layer }) => makeLanguageList((await viewOf(layer)).languages),
  searchProvider: searchObjects,
  searchMany: searchObjects,
  browse: browseObjects,
  findAlike: findAlikeObjects,
  // For our own engine, storing feedback is enough; `services/people/feedback/feedback.ts` does that.
  feedback: async ({ requestIds }, feedback) => requestIds.verify(feedback),
};

/** The operations, answered by our own engine from one version of a catalogue. */
export function createLocalLearningService(deps: LocalLearningServiceDeps): LearningService {
  const { viewOf, terms, requestIds } = deps;
  const local: Local = {
    viewOf,
    terms,
    requestIds,
    search: createSearch(deps),
    browse: createBrowse(deps),
    listProviders: createProviderLists(deps.publicUrl, deps.providers),
  };
  return { ask: async (operation, request, options = {}) => handlers[operation](local, request, options) };
}

function createSearch({ viewOf, terms, geocoder, clock, encoder }: LocalLearningServiceDeps): Search {
  const expand = (words: readonly string[], lang: string | undefined) => terms.expansionsOf(words, lang);
  return rememberSearches(clock, async (query, { withDetails = false, layer }) => {
    const { objects } = await viewOf(layer);
    const deps = { objects, geocoder, clock, expand, withDetails };
    return searchLearningObjects(query, { ...deps, ...(encoder && { meaning: encoder }) });
  });
}

async function findSimilarTerms(
  { terms }: Local,
  { keywords, lang, source, max = DEFAULT_TERMS }: SimilarRequest,
): Promise<readonly Term[]> {
  const similar = terms.similar({ keywords, lang, max, ...(source !== undefined && { source }) });
  return similar.map(({ label, source, score, conceptId }) => ({ label, source, score, concept: conceptId }));
}

async function tagText(
  { terms }: Local,
  { lang, max = DEFAULT_TAGS, ...rest }: TaggerRequest,
): Promise<TagSet> {
  const { tokenizedText, tags } = terms.tag({ ...rest, lang, max });
  const spans = rest.spans === true && { spans: tags.map(({ span = null }) => span) };
  const concepts = tags.map(({ conceptId }) => conceptId);
  return { tokenizedText, lang, tags: tags.map(({ label }) => label), concepts, ...spans };
}

async function suggestTerms(
  { terms, viewOf }: Local,
  { keywords }: SuggestRequest,
  { layer }: CallOptions,
): Promise<SuggestAnswer> {
  const phrases = (await viewOf(layer)).listPhrases();
  const answer = terms.suggest({ keywords, max: MAX_SUGGESTIONS, phrases });
  return { ...answer, quality: qualities[answer.quality] };
}

/** Both searches of the port: the engine needs no provider and no language. */
async function searchObjects(
  { viewOf, search, requestIds }: Local,
  query: LearningObjectQuery,
  options: CallOptions,
): Promise<SearchAnswer> {
  const view = await viewOf(options.layer);
  refuseUnknownProvider(query, view);
  const { answer, quality, wishes } = await search(query, options);
  const records = await view.findObjects(answer.hits.map(({ id }) => id));
  const hits = answer.hits.flatMap(({ tier }, place) => {
    const record = records[place];
    return record ? [{ ...record, tier }] : [];
  });
  const content = hits.map(({ object }) => object);
  const tiers = hits.map(({ tier }) => tier);
  return {
    requestId: requestIds.issue(content),
    content,
    page: query.page,
    itemsPerPage: query.max,
    totalItems: answer.total,
    hasMore: (query.page + 1) * query.max < answer.total,
    quality,
    ...(wishes.length > 0 && { wishes }),
    ...(tiers.some((tier) => tier !== 'fitting') && { tiers }),
    ...describeMatches(query, answer, hits),
  };
}

/** What of the answer is for showing: the corrected words, counts by value, and the places to mark. */
function describeMatches(
  { keywords }: LearningObjectQuery,
  { corrections, facets, terms }: ObjectAnswer,
  hits: readonly KnownObject[],
): Pick<SearchAnswer, 'corrected' | 'facets' | 'highlights'> {
  const listTexts = () => hits.flatMap(({ object }) => [object.title, object.description ?? '']);
  return {
    ...(corrections && { corrected: correctLearningWords(keywords, corrections, listTexts()) }),
    ...(facets && { facets }),
    ...(terms && { highlights: hits.map(({ texts }) => markMatches(texts, terms)) }),
  };
}

async function findAlikeObjects(
  { viewOf, requestIds }: Local,
  object: LearningObject,
  { layer }: CallOptions,
): Promise<AlikeAnswer> {
  const { objects, findObjects } = await viewOf(layer);
  const { title, description = '', lang = '' } = object;
  const [record] = await findObjects([object.url]);
  const texts = record?.texts ?? { title, description, lang, keywords: [] };
  const { hits, total } = await objects.search({
    likeTo: { id: object.url, ...texts },
    offset: 0,
    limit: MAX_ALIKE,
    keywords: '',
    model: 'extended',
    sort: 'popularity',
    filters: {},
  });
  const records = await findObjects(hits.map(({ id }) => id));
  const alike = hits.flatMap(({ score }, place) => {
    const { object } = records[place] ?? {};
    return object === undefined ? [] : [{ object, likeness: score }];
  });
  const content = alike.map(({ object }) => object);
  return {
    requestId: requestIds.issue(content),
    content,
    likeness: alike.map(({ likeness }) => likeness),
    page: 0,
    itemsPerPage: MAX_ALIKE,
    totalItems: total,
    hasMore: total > MAX_ALIKE,
    quality: total > 0 ? 'B00' : 'C00',
  };
}

async function browseObjects(
  { viewOf, browse }: Local,
  request: BrowseRequest,
  { layer }: CallOptions,
): Promise<BrowseAnswer> {
  const view = await viewOf(layer);
  refuseUnknownProvider(request.query, view);
  return browse(request, view);
}

function refuseUnknownProvider(
  { providers: requested }: LearningObjectQuery,
  { providers }: Pick<CatalogView, 'providers'>,
): void {
  const unknown = requested.find((id) => !providers.has(id));
  if (unknown !== undefined) throw providerUnknown(unknown);
}

function markMatches(
  { title, description, lang }: KnownObject['texts'],
  terms: ReadonlySet<string>,
): Highlight {
  return { title: findMatches(title, lang, terms), description: findMatches(description, lang, terms) };
}

function providerUnknown(id: string): AppError {
  return new AppError(
    'PROVIDER_UNKNOWN',
    `There is no provider "${id}". Take an id from the list at /learningobject/v2/provider.`,
    { data: { provider: id } },
  );
}

/** The typed text with its corrected words, written as in the texts that were found, so with accents.
 *  @param corrections by folded words
 *  @param texts titles, say */
export function correctLearningWords(
  keywords: string,
  corrections: ReadonlyMap<string, string>,
  texts: readonly string[],
): string {
  const written = texts.flatMap((text) => text.toLowerCase().match(WORD) ?? []);
  const asWritten = (word: string) => written.find((one) => fold(one) === word) ?? word;
  return keywords.replace(WORD, (word) => {
    const correction = corrections.get(fold(word));
    return correction === undefined ? word : asWritten(correction);
  });
}
