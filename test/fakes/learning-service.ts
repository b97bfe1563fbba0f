import type { Provider } from '../../src/domain/catalog.ts';
import type { LearningObject } from '../../src/domain/learning-object.ts';
import type { LearningObjectQuery } from '../../src/domain/learning-object-query.ts';
import { AppError } from '../../src/errors.ts';
import type {
  CallOptions,
  Feedback,
  LearningService,
  OperationAnswer,
  OperationHandlers,
  OperationName,
  OperationRequest,
  SearchAnswer,
  SimilarRequest,
  TaggerRequest,
} from '../../src/ports/learning-service.ts';

export const KNOWN_REQUEST_ID = 'request-1';

export const fullObject: LearningObject = {
  title: 'Python for everybody',
  url: 'https://example.org/python',
  description: 'An introduction.',
  picture: 'https://example.org/python.png',
  provider: 'YouTube',
  bloom: ['Understand', 'Apply'],
  type: ['mooc', 'career profile'],
  level: -0.5,
  lang: 'en',
  learningTime: { value: 90, unit: 'min' },
  address: 'Lyon',
  publisher: ['A university'],
  author: ['Ada'],
  price: { amount: 12.5, currency: '€', free: true },
};

export const bareObject: LearningObject = {
  title: 'Bare',
  url: 'https://example.org/bare',
  bloom: [],
  type: [],
  publisher: [],
  author: [],
};

/** A service that answers each operation by its method of the same name, which a test may replace. */
export type HandlerService = LearningService & {
  -readonly [N in keyof OperationHandlers]: OperationHandlers[N];
};

export type FakeLearningService = HandlerService & {
  /** What reached the service, in order. */
  readonly calls: {
    readonly similar: SimilarRequest[];
    readonly tagger: TaggerRequest[];
    readonly searches: LearningObjectQuery[];
    readonly feedback: Feedback[];
  };
};

/** A strict double: it answers the same to everyone, knows two providers and one request id, and refuses the rest. */
export function createFakeLearningService(): FakeLearningService {
  const calls: FakeLearningService['calls'] = { similar: [], tagger: [], searches: [], feedback: [] };
  async function search(query: LearningObjectQuery): Promise<SearchAnswer> {
    calls.searches.push(query);
    const unknown = query.providers.find((id) => id !== 'youtube' && id !== 'openlearn');
    if (unknown !== undefined) throw new AppError('PROVIDER_UNKNOWN', `There is no provider "${unknown}".`);
    return {
      requestId: KNOWN_REQUEST_ID,
      content: [fullObject, bareObject],
      page: query.page,
      itemsPerPage: query.max,
      totalItems: 2,
      hasMore: false,
      quality: 'A00',
    };
  }
  return {
    calls,
    ask(operation, request, options = {}) {
      return askHandler(this, operation, request, options);
    },
    async similar(request) {
      calls.similar.push(request);
      return [
        { label: 'Python', source: 'Skilldock', score: 0.9 },
        { label: 'Snakes', source: 'Other' },
      ];
    },
    browse: async () => null,
    findAlike: async () => null,
    async tagger(request) {
      calls.tagger.push(request);
      return { tokenizedText: 'we teach python', lang: request.lang, tags: ['Python', 'Teaching'] };
    },
    suggest: async ({ keywords }) => ({
      keywordsTransformed: [keywords.toLowerCase()],
      suggestions: [{ label: 'python course', score: 0.8 }],
      quality: 'B00',
    }),
    listProviders: async () => [provider('youtube', 'YouTube'), provider('openlearn', 'OpenLearn')],
    listTypes: async () => [{ value: 'mooc', description: 'A course' }],
    listBlooms: async () => [{ value: 'Understand', description: 'Explain ideas' }],
    listLanguages: async () => [{ value: 'en', description: 'English' }],
    searchProvider: search,
    searchMany: search,
    async feedback(feedback) {
      if (feedback.requestId !== KNOWN_REQUEST_ID)
        throw new AppError('REQUEST_ID_INVALID', 'This request_id was not issued here.');
      calls.feedback.push(feedback);
    },
  };
}

/** A function apart, because TypeScript does not see through `this` which handler goes with which request. */
async function askHandler<N extends OperationName>(
  handlers: OperationHandlers,
  operation: N,
  request: OperationRequest<N>,
  options: CallOptions,
): Promise<OperationAnswer<N>> {
  return handlers[operation](request, options);
}

/** Handlers of these operations that ask another service. */
export function handlersOf<N extends OperationName>(
  learning: LearningService,
  ...names: readonly N[]
): Pick<OperationHandlers, N> {
  const entries = names.map((name) => [
    name,
    (request: OperationRequest<N>, options: CallOptions) => learning.ask(name, request, options),
  ]);
  return Object.fromEntries(entries);
}

function provider(id: string, name: string): Provider {
  return {
    id,
    name,
    url: `https://${id}.example.org`,
    logos: [
      {
        url: `https://example.org/logos/${id}/dark-square.png`,
        colorScheme: 'dark',
        aspectRatio: 'square',
      },
    ],
  };
}
