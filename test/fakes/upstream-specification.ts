/** The service's specification once more, written from its text and not from our contract: what a request must be, and what
 *  a good answer is, with the oddities that the text shows. */

type Values = Readonly<Record<string, unknown>>;

export interface SpecifiedOperation {
  readonly family: 'competency' | 'learning-objects';
  readonly method: 'GET' | 'POST';
  readonly isKeyed: boolean;
  /** What is wrong with the parameters or the body; null where nothing is. */
  check(values: unknown): string | null;
}

type Rule = (value: string) => boolean;

const anything: Rule = (value) => value !== '';
const language: Rule = (value) => /^[a-z]{2}$/.test(value);
const oneOf =
  (...names: string[]): Rule =>
  (value) =>
    names.includes(value);
const integer =
  (min: number, max = Number.POSITIVE_INFINITY): Rule =>
  (value) =>
    /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max;
const decimal =
  (min: number, max: number): Rule =>
  (value) =>
    /^-?\d+(\.\d+)?$/.test(value) && Number(value) >= min && Number(value) <= max;

const searchRules: Readonly<Record<string, Rule>> = {
  keywords: anything,
  lang: language,
  provider: anything,
  sort: oneOf('random', 'popularity', ''),
  match: oneOf('strict', 'best-effort'),
  model: oneOf('strict', 'extended'),
  max: integer(1, 20),
  page: integer(0),
  publisher: anything,
  ageMax: integer(0),
  ageMin: integer(0),
  learningTimeMax: integer(0),
  learningTimeMin: integer(0),
  levelMax: decimal(-1, 1),
  levelMin: decimal(-1, 1),
  popularityMin: decimal(0, 1),
  address: anything,
  distanceMax: integer(0),
  free: oneOf('true', 'false', ''),
};

export const operations = {
  similar: keyed('GET', checkBy({ keywords: anything, lang: language }, ['keywords', 'lang'])),
  tagger: keyed('POST', checkBy({ text: anything, lang: language }, ['text', 'lang'])),
  suggest: keyed('GET', checkBy({ keywords: anything }, ['keywords'])),
  provider: list(),
  type: list(),
  bloom: list(),
  lang: list(),
  'search-provider': { ...keyed('GET', checkSearch), family: 'learning-objects' },
  feedback: {
    ...keyed(
      'POST',
      checkBy({ url: anything, comment: anything, request_id: anything, email: anything, source: anything }, [
        'url',
        'request_id',
        'email',
        'source',
      ]),
    ),
    family: 'learning-objects',
  },
} satisfies Record<string, SpecifiedOperation>;

/** Skilldock's own search of all providers, which the specification does not show. */
export const extension: SpecifiedOperation = { ...keyed('GET', () => null), family: 'learning-objects' };

export type UpstreamOperation = keyof typeof operations;

function keyed(method: 'GET' | 'POST', check: SpecifiedOperation['check']): SpecifiedOperation {
  return { family: 'competency', method, isKeyed: true, check };
}

function list(): SpecifiedOperation {
  return { family: 'learning-objects', method: 'GET', isKeyed: false, check: checkBy({}, []) };
}

/** More than the specification asks for: parameters it does not have are refused, so that none of ours slips out. */
function checkBy(rules: Readonly<Record<string, Rule>>, required: readonly string[]) {
  return (values: unknown): string | null => {
    const given = (values ?? {}) as Values;
    for (const name of required) if (given[name] === undefined) return `${name} is required`;
    for (const [name, value] of Object.entries(given)) {
      const rule = rules[name];
      if (rule === undefined) return `${name} is not in the specification`;
      if (typeof value !== 'string' || !rule(value.replace(/!important$/, ''))) return `${name} is wrong`;
    }
    return null;
  };
}

function checkSearch(values: unknown): string | null {
  const required = ['keywords', 'lang', 'sort', 'match', 'model', 'max', 'page'];
  return checkBy(searchRules, required)(values);
}

/** What an upstream has. */
export interface UpstreamCatalogue {
  /** Ids of its providers. */
  readonly providers: readonly string[];
  /** How many learning objects a provider has, whatever is looked for. */
  countOf(provider: string): number;
  /** What is different about an object, by its rank from 0, in the words of the wire. */
  object(provider: string, rank: number): object;
}

export interface Asked extends UpstreamCatalogue {
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const plainProvider = (query: Asked['query']) => (query.provider ?? 'tube').replace(/!important$/, '');

/** Unless a test says otherwise. */
export const OBJECTS_PER_PROVIDER = 25;

const unspecified = { '@context': 'https://schema.org', extra: { of: 'the service' } };

export const goodBodies: Readonly<Record<UpstreamOperation | 'search', (asked: Asked) => object>> = {
  similar: ({ query }) => ({
    statusCode: 200,
    request: { keywords: query.keywords, lang: query.lang },
    response: [
      { label: 'Data analysis', source: 'Own index', score: 0.9 },
      { label: 'Data analytics', source: 'Synonyms' },
      { label: 'Analyste de données', source: 'ROME', score: 0.4, ...unspecified },
    ],
  }),
  tagger: ({ body }) => ({
    statusCode: 200,
    body: { tokenized_text: 'we teach sql', lang: (body as Values).lang, tags: ['SQL', 'Teaching'] },
  }),
  suggest: ({ query }) => ({
    statusCode: 200,
    request: { keywords: query.keywords, keywords_transformed: [query.keywords!.toLowerCase()] },
    response: {
      content: [
        { label: 'communication interne', confidence: 0.8 },
        { label: 'communication orale', confidence: 0.5 },
      ],
      msg: 'B00-These results does not match exactly your query.',
    },
  }),
  provider: ({ providers }) => ({ statusCode: 200, response: providers.map(providerOf) }),
  type: () => [
    { type: 'mooc', description: 'A course' },
    { type: 'video', description: 'A film' },
  ],
  bloom: () => [{ bloom: 'Understand', description: 'Explain ideas' }],
  lang: () => ({ statusCode: 200, response: [{ lang: 'fr', description: 'French' }] }),
  'search-provider': searchAnswer,
  // Its echo lists the providers, by which it is recognised.
  search: (asked) => ({ ...searchAnswer(asked), request: { id: 'search-of-all', provider: [] } }),
  feedback: () => ({ statusCode: 200, message: 'ok' }),
};

function providerOf(id: string): object {
  const logo = ['dark', 'light'].flatMap((colorScheme) =>
    ['landscape', 'square'].map((aspectRatio) => ({
      url: `https://${id}.example/l`,
      colorScheme,
      aspectRatio,
    })),
  );
  return {
    ...unspecified,
    '@type': 'provider',
    id,
    name: id.toUpperCase(),
    logo,
    url: `https://${id}.example`,
    license: `https://${id}.example/brand`,
  };
}

function searchAnswer({ query, countOf, object }: Asked): object {
  const provider = plainProvider(query);
  const [max, page] = [Number(query.max), Number(query.page)];
  const total = countOf(provider);
  const all = Array.from({ length: total }, (_, rank) => rank);
  const content = all
    .slice(page * max, (page + 1) * max)
    .map((rank) => ({ ...objectOf(provider, rank), ...object(provider, rank) }));
  return {
    statusCode: 200,
    request: { ...query, publisher: '', author: '', id: `search-of-${provider}` },
    response: {
      content,
      metadata: {
        page,
        'number item per page': max,
        'total number item': total,
        hasMore: (page + 1) * max < total,
      },
      msg: total > 0 ? 'A00-These results are our best effort to answer your query.' : 'C00-No results.',
    },
  };
}

function objectOf(provider: string, rank: number): object {
  return {
    title: `${provider} ${rank}`,
    url: `https://${provider}.example/${rank}`,
    provider: provider.toUpperCase(),
    type: [rank % 2 === 0 ? 'VIDEO' : 'MOOC'],
    bloom: ['Understand'],
    lang: 'en',
    learningTimeValue: 3,
    learningTimeUnit: 'min',
    PriceSpecification: { '@type': 'PriceSpecification', price: 0, 'price-free': true },
  };
}
