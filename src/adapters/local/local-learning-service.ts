import { LRUCache } from 'lru-cache';
import type { ListEntry, Logo, Provider } from '#domain/catalog';
import type { BloomObjective, LearningObjectType } from '#domain/learning-object';
import { limitEntries } from '#domain/limit-entries';
import type { ObjectEdits } from '#domain/object-fields';
import { getOrAdd } from '#engine/maps';
import type { TermIndex } from '#engine/terms/types';
import type {
  CallOptions,
  LearningService,
  OperationAnswer,
  OperationName,
  OperationRequest,
  SimilarRequest,
  SuggestAnswer,
  SuggestRequest,
  TaggerRequest,
  TagSet,
  Term,
} from '#ports/learning-service';
import type { DerivedSkill } from '#ports/object-catalog';
import type { ProviderRecord } from '../catalog/catalog-schema.ts';
import type { ObjectStateOptions } from './object-operations.ts';
import { browseObjects, createObjectState, findAlikeObjects, searchObjects } from './object-operations.ts';

export interface LocalLearningServiceDeps extends ObjectStateOptions {
  /** The providers of the version, without those that tenants added. */
  readonly providers: ReadonlyMap<string, ProviderRecord>;
  /** The address of this host, which serves the logos, without a trailing slash. */
  readonly publicUrl: string;
}

type LocalState = ReturnType<typeof createLocalState>;

/** Opens one version of the catalogue with its cached answers. */
function createLocalState(deps: LocalLearningServiceDeps) {
  const { publicUrl, providers } = deps;
  return {
    ...createObjectState(deps),
    publicUrl,
    providers,
    providerLists: new WeakMap<object, readonly Provider[]>(),
    languageLists: new WeakMap<object, readonly ListEntry[]>(),
    /** A person who turns pages or changes filters asks for the terms of the same words again. */
    cachedTerms: new LRUCache<string, readonly Term[]>(limitEntries(MAX_CACHED_ANSWERS)),
    cachedSuggestions: new LRUCache<string, SuggestAnswer>(limitEntries(MAX_CACHED_ANSWERS)),
  };
}

const handlers: {
  readonly [N in OperationName]: (
    local: LocalState,
    request: OperationRequest<N>,
    options: CallOptions,
  ) => Promise<OperationAnswer<N>>;
} = {
  similar: findLocalSimilarTerms,
  tagger: tagTextLocally,
  suggest: suggestTerms,
  listProviders: listLocalProviders,
  listTypes: async () => types,
  listBlooms: async () => blooms,
  listLanguages: listLocalLanguages,
  searchProvider: searchObjects,
  searchMany: searchObjects,
  browse: browseObjects,
  findAlike: findAlikeObjects,
  // `services/people/feedback/feedback.ts` stores it; the embedded engine needs nothing more.
  feedback: async ({ requestIds }, feedback, { tenantId }) => requestIds.verify(feedback, tenantId),
};

export function createLocalLearningService(deps: LocalLearningServiceDeps): LearningService {
  const local = createLocalState(deps);
  return { ask: async (operation, request, options = {}) => handlers[operation](local, request, options) };
}

const DEFAULT_TERMS = 20;
const DEFAULT_TAGS = 10;
const MAX_SUGGESTIONS = 10;
const MAX_CACHED_ANSWERS = 500;

async function findLocalSimilarTerms(
  { terms, cachedTerms }: LocalState,
  request: SimilarRequest,
): Promise<readonly Term[]> {
  const { keywords, lang, source, max = DEFAULT_TERMS } = request;
  const key = JSON.stringify([keywords, lang, source, max]);
  return getOrAdd<string, readonly Term[]>(cachedTerms, key, () => {
    const similar = terms.similar({ keywords, lang, max, ...(source !== undefined && { source }) });
    return similar.map(({ label, source, score, uri }) => ({ label, source, score, concept: uri }));
  });
}

async function tagTextLocally(
  { terms }: LocalState,
  { lang, max = DEFAULT_TAGS, ...request }: TaggerRequest,
): Promise<TagSet> {
  const { tokenizedText, tags } = terms.tag({ ...request, lang, max });
  return {
    tokenizedText,
    lang,
    tags: tags.map(({ label }) => label),
    concepts: tags.map(({ uri, source: taxonomy }) => ({ uri, taxonomy })),
    ...(request.spans === true && { spans: tags.map(({ span = null }) => span) }),
  };
}

/** Tags the texts of an object, unless its provider says what it teaches. It does so for each
 *  page: deriving for all objects would make building an index a fifth slower, and give the
 *  same. Figures: docs/architecture.md. */
export function deriveLocalSkills(
  terms: Pick<TermIndex, 'tag'>,
  object: Pick<ObjectEdits, 'title' | 'description' | 'keywords' | 'lang' | 'teaches'>,
): readonly DerivedSkill[] {
  const { title, description, keywords = [], lang = 'en', teaches } = object;
  if (teaches != null) return [];
  const text = [title, description, keywords.join(', ')].filter(Boolean).join('.\n');
  const { tags } = terms.tag({ text, lang, max: DEFAULT_TAGS, spans: true });
  return tags.flatMap(({ label, uri, span }) =>
    span === undefined ? [] : [{ label, uri, evidence: text.slice(...span) }],
  );
}

/** The codes of the specification for the qualities of the engine. */
const qualities = { exact: 'A00', loose: 'B00', none: 'C00' } as const;

async function suggestTerms(
  local: LocalState,
  request: SuggestRequest,
  { layer }: CallOptions,
): Promise<SuggestAnswer> {
  const { terms, viewOf, cachedSuggestions } = local;
  const phrases = (await viewOf(layer)).listPhrases();
  return getOrAdd<string, SuggestAnswer>(cachedSuggestions, JSON.stringify([request, layer?.stamp ?? '']), () => {
    const answer = terms.suggest({ ...request, max: MAX_SUGGESTIONS, phrases });
    const suggestions = answer.suggestions.map(({ label, score, concept }) => ({
      label,
      score,
      ...(concept && { concept: { uri: concept.uri, taxonomy: concept.source } }),
    }));
    return { ...answer, suggestions, quality: qualities[answer.quality] };
  });
}

async function listLocalProviders(local: LocalState, _: unknown, { layer }: CallOptions): Promise<readonly Provider[]> {
  const { providers } = await local.viewOf(layer);
  return getOrAdd(local.providerLists, providers, () =>
    Array.from(providers.values(), (record) => toProvider(record, local)),
  );
}

function toProvider({ id, name, url, license }: ProviderRecord, { publicUrl, providers }: LocalState): Provider {
  return {
    id,
    name,
    // Logos are public, so this host draws none from names that a tenant gave.
    logos: providers.has(id) ? listLogos(id, publicUrl) : [],
    url: url ?? `${publicUrl}/browse?provider=${id}`,
    ...(license !== undefined && { license }),
  };
}

function listLogos(id: string, publicUrl: string): readonly Logo[] {
  return (['dark', 'light'] as const).flatMap((colorScheme) =>
    (['landscape', 'square'] as const).map((aspectRatio) => ({
      url: `${publicUrl}/logos/${id}/${colorScheme}-${aspectRatio}.svg`,
      colorScheme,
      aspectRatio,
    })),
  );
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

async function listLocalLanguages(
  local: LocalState,
  _: unknown,
  { layer }: CallOptions,
): Promise<readonly ListEntry[]> {
  const { languages } = await local.viewOf(layer);
  return getOrAdd(local.languageLists, languages, () =>
    [...new Set(languages)].sort().map((value) => ({ value, description: languageNames.of(value) ?? value })),
  );
}

const typeDescriptions: Readonly<Record<LearningObjectType, string>> = {
  app: 'Interactive application or simulation to practise with',
  article: 'Text of a few pages on one subject',
  book: 'Printed book, or the page that presents it',
  'career profile': 'Description of an occupation: tasks, skills, training and prospects',
  'distance learning': 'Course followed at a distance, at one’s own pace',
  ebook: 'Book to read on a screen',
  mooc: 'Massive open online course',
  podcast: 'Audio programme, one episode or a series',
  'safety sheet': 'Sheet on a risk at work and how to prevent it',
  'serious game': 'Game made to learn something',
  training: 'Training given in person, at an address',
  tutorial: 'Step-by-step guide to do something',
  video: 'Video, or a channel or list of videos',
  website: 'Site with material on one subject',
};

const bloomDescriptions: Readonly<Record<BloomObjective, string>> = {
  Remember: 'Recall facts and basic concepts',
  Understand: 'Explain ideas or concepts',
  Apply: 'Use what was learnt in new situations',
  Analyze: 'Draw connections among ideas',
  Evaluate: 'Justify a judgement or decision',
  Create: 'Produce new or original work',
};

function toListEntries(descriptions: Readonly<Record<string, string>>): ListEntry[] {
  return Object.entries(descriptions).map(([value, description]) => ({ value, description }));
}

const types = toListEntries(typeDescriptions);
const blooms = toListEntries(bloomDescriptions);
