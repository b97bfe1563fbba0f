import type { Logo, Provider, Topic } from '../../domain/catalog.ts';
import type { LearningObjectQuery } from '../../domain/learning-object-query.ts';
import type { TermIndex } from '../../engine/terms/types.ts';
import { fold } from '../../engine/text/fold.ts';
import { findMatches } from '../../engine/text/term.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Encoder } from '../../ports/encoder.ts';
import type {
  Highlight,
  LearningService,
  SearchAnswer,
  SearchOptions,
} from '../../ports/learning-service.ts';
import type { ProviderRecord } from '../catalog/catalog-schema.ts';
import { createBrowse } from './browsing/browse.ts';
import type { CatalogView, KnownObject, ViewOf } from './catalog-view.ts';
import type { Geocoder } from './gazetteer.ts';
import { bloomList, makeLanguageList, typeList } from './lists.ts';
import type { RequestIds } from './request-ids.ts';
import { rememberSearches, searchLearningObjects } from './search-learning-objects.ts';

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

const DEFAULT_TERMS = 20;
const DEFAULT_TAGS = 10;
const MAX_SUGGESTIONS = 10;
const MAX_ALIKE = 100;
/** The engine's words in the specification's code. */
const qualities = { exact: 'A00', loose: 'B00', none: 'C00' } as const;

/** The nine operations, answered by our own engine from one version of a catalogue. */
export function createLocalLearningService(deps: LocalLearningServiceDeps): LearningService {
  const { viewOf, terms, geocoder, requestIds, clock, encoder } = deps;
  const expand = (words: readonly string[], lang: string | undefined) => terms.expansionsOf(words, lang);
  const search = rememberSearches(clock, async (query, { withDetails = false, layer }) => {
    const { objects } = await viewOf(layer);
    const deps = { objects, geocoder, clock, expand, withDetails };
    return searchLearningObjects(query, { ...deps, ...(encoder && { meaning: encoder }) });
  });
  const listProviders = createProviderLists(deps.publicUrl, deps.providers);

  const browse = createBrowse(deps);

  function refuseUnknownProvider(
    { providers: asked }: LearningObjectQuery,
    { providers }: Pick<CatalogView, 'providers'>,
  ): void {
    const unknown = asked.find((id) => !providers.has(id));
    if (unknown !== undefined) throw providerUnknown(unknown);
  }

  async function searchAny(query: LearningObjectQuery, options: SearchOptions = {}): Promise<SearchAnswer> {
    const view = await viewOf(options.layer);
    refuseUnknownProvider(query, view);
    const { answer, quality, wishes } = await search(query, options);
    const { terms: matched } = answer;
    const known = await view.findObjects(answer.hits.map(({ id }) => id));
    const found = answer.hits.flatMap(({ tier }, i) => {
      const own = known[i];
      return own ? [{ ...own, tier }] : [];
    });
    const tiers = found.map(({ tier }) => tier);
    const content = found.map(({ object }) => object);
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
      ...(answer.corrections && {
        corrected: correctLearningWords(
          query.keywords,
          answer.corrections,
          found.flatMap(({ object }) => [object.title, object.description ?? '']),
        ),
      }),
      ...(answer.facets && { facets: answer.facets }),
      ...(matched && { highlights: found.map(({ texts }) => markMatches(texts, matched)) }),
    };
  }

  return {
    async similar({ keywords, lang, source, max = DEFAULT_TERMS }) {
      const found = terms.similar({
        ...{ keywords, lang, max },
        ...(source !== undefined && { source }),
      });
      return found.map(({ label, source, score, conceptId }) => ({
        label,
        source,
        score,
        concept: conceptId,
      }));
    },

    async tagger({ lang, max = DEFAULT_TAGS, ...asked }) {
      const { tokenizedText, tags } = terms.tag({ ...asked, lang, max });
      const spans = asked.spans === true && { spans: tags.map(({ span = null }) => span) };
      const concepts = tags.map(({ conceptId }) => conceptId);
      return { tokenizedText, lang, tags: tags.map(({ label }) => label), concepts, ...spans };
    },

    async suggest({ keywords }, { layer } = {}) {
      const phrases = (await viewOf(layer)).listPhrases();
      const answer = terms.suggest({ keywords, max: MAX_SUGGESTIONS, phrases });
      return { ...answer, quality: qualities[answer.quality] };
    },

    listProviders: async ({ layer } = {}) => listProviders((await viewOf(layer)).providers),
    listTypes: async () => typeList,
    listBlooms: async () => bloomList,
    listLanguages: async ({ layer } = {}) => makeLanguageList((await viewOf(layer)).languages),

    searchProvider: searchAny,
    searchMany: searchAny,
    async findAlike(object, { layer } = {}) {
      const { objects, findObjects } = await viewOf(layer);
      const { title, description = '', lang = '' } = object;
      const [own] = await findObjects([object.url]);
      const texts = own?.texts ?? { title, description, lang, keywords: [] };
      const { hits, total } = await objects.search({
        ...{ likeTo: { id: object.url, ...texts }, offset: 0, limit: MAX_ALIKE },
        ...{ keywords: '', model: 'extended', sort: 'popularity', filters: {} },
      });
      const known = await findObjects(hits.map(({ id }) => id));
      const found = hits.flatMap(({ score }, i) => {
        const { object } = known[i] ?? {};
        return object === undefined ? [] : [{ object, likeness: score }];
      });
      const content = found.map(({ object }) => object);
      return {
        ...{ requestId: requestIds.issue(content), content, likeness: found.map(({ likeness }) => likeness) },
        ...{ page: 0, itemsPerPage: MAX_ALIKE, totalItems: total, hasMore: total > MAX_ALIKE },
        quality: total > 0 ? 'B00' : 'C00',
      };
    },
    async browse(request, { layer } = {}) {
      const view = await viewOf(layer);
      refuseUnknownProvider(request.query, view);
      return browse(request, view);
    },

    // For our own engine, storing feedback is enough; `services/feedback/feedback.ts` does that.
    async feedback(given) {
      requestIds.verify(given);
    },
  };
}

/** Most tenants have the same providers: written once for each set.
 *  @param drawn those of which this host draws logos, for everybody: names that one tenant gave are not for others */
function createProviderLists(publicUrl: string, drawn: ReadonlyMap<string, ProviderRecord>) {
  const written = new WeakMap<object, readonly Provider[]>();
  return (providers: ReadonlyMap<string, ProviderRecord>): readonly Provider[] => {
    const known = written.get(providers);
    if (known !== undefined) return known;
    const list = Array.from(providers.values(), (record) =>
      toProvider(record, publicUrl, drawn.has(record.id)),
    );
    written.set(providers, list);
    return list;
  };
}

function toProvider(
  { id, name, url, license }: ProviderRecord,
  publicUrl: string,
  hasLogos: boolean,
): Provider {
  return {
    id,
    name,
    logos: hasLogos ? listLogos(id, publicUrl) : [],
    url: url ?? `${publicUrl}/browse?provider=${id}`,
    ...(license !== undefined && { license }),
  };
}

function listLogos(id: string, publicUrl: string): readonly Logo[] {
  return (['dark', 'light'] as const).flatMap((colorScheme) =>
    (['landscape', 'square'] as const).map((aspectRatio): Logo => {
      const path = `/logos/${id}/${colorScheme}-${aspectRatio}.svg`;
      return { url: publicUrl + path, colorScheme, aspectRatio };
    }),
  );
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
    const meant = corrections.get(fold(word));
    return meant === undefined ? word : asWritten(meant);
  });
}
