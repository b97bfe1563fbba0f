import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import express, { type Request, type Response, Router } from 'express';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { AppError } from '../../errors.ts';
import type { Facets } from '../../ports/learning-service.ts';
import type { Discovery } from '../../services/discovery.ts';
import { drawLogo } from './logo.ts';
import { capitalise, toResultView } from './result-view.ts';
import {
  addressOf,
  ITEMS_PER_PAGE,
  MAX_TEXT_LENGTH,
  readSearchForm,
  type SearchForm,
  toQuery,
} from './search-form.ts';

export interface HomeFaceDeps {
  readonly discovery: Discovery;
  readonly publicUrl: string;
  readonly demoKey: string;
  /** Faces of this host and, for those that are off, why. */
  readonly faces: readonly FaceState[];
  readonly sizes: () => Readonly<Record<'objects' | 'providers' | 'concepts' | 'labels', number>>;
}

export interface FaceState {
  readonly name: string;
  readonly isOn: boolean;
  /** Where it is, or why it is off. */
  readonly note: string;
}

const views = new Eta({ views: fileURLToPath(new URL('../../../views', import.meta.url)), cache: true });
const styles = fileURLToPath(new URL('../../../views/assets', import.meta.url));
const scripts = fileURLToPath(new URL('../../../dist/browser', import.meta.url));

/** Searches from one address: enough for a person who types, too few for a harvester. */
const SEARCHES = { points: 60, duration: 30 };
const MAX_SIMILAR = 12;
const EXAMPLES = [
  'data analysis',
  'first aid',
  'Python',
  'développement web',
  'project management',
  'español',
  'chemical safety',
];

/** The front page: what this host is, a search without a key, and how to connect. */
export function createHomeFace(deps: HomeFaceDeps): Router {
  const { discovery } = deps;
  const limiter = new RateLimiterMemory(SEARCHES);
  const router = Router();
  router.use('/assets', express.static(styles, { maxAge: '1h' }), express.static(scripts, { maxAge: '1h' }));
  router.get('/logos/:provider/:variant', (request, response) => sendLogo(discovery, request, response));
  router.get('/complete', async (request, response) => {
    await limit(limiter, request);
    const { q } = readSearchForm(queryOf(request));
    const { suggestions } = q === '' ? { suggestions: [] } : await discovery.complete(q);
    response.set('Cache-Control', 'public, max-age=300').json(suggestions.map(({ label }) => label));
  });
  router.get('/', async (request, response) => {
    const form = readSearchForm(queryOf(request));
    if (form.q !== '') await limit(limiter, request);
    response
      .type('html')
      .send(
        views.render('home', { ...(await pageModel(deps, form)), ...(await resultsModel(discovery, form)) }),
      );
  });
  router.post('/tags', express.urlencoded({ extended: false, limit: '96kb' }), async (request, response) => {
    await limit(limiter, request);
    const form = readSearchForm(new URLSearchParams());
    const tagging = await tagsModel(discovery, request.body as Record<string, unknown>);
    response
      .status(tagging.problem === undefined ? 200 : 400)
      .type('html')
      .send(views.render('home', { ...(await pageModel(deps, form)), tagging }));
  });
  return router;
}

/** A page that says what happened and what to do. */
export function renderErrorPage(title: string, message: string, reference: string): string {
  return views.render('error', { title, message, reference });
}

async function pageModel({ discovery, publicUrl, demoKey, faces, sizes }: HomeFaceDeps, form: SearchForm) {
  const { providers, types, languages } = await discovery.lists();
  return {
    form,
    publicUrl,
    demoKey,
    faces,
    sizes: sizes(),
    providers: [...providers].sort((a, b) => a.name.localeCompare(b.name, 'en')),
    types,
    languages,
    examples: EXAMPLES,
    addressOf: (changes: Partial<SearchForm>) => addressOf(form, changes),
    addressOfWords: (q: string) => addressOf({ ...form, q }),
    capitalise,
    countOf: () => '',
  };
}

async function resultsModel(discovery: Discovery, form: SearchForm) {
  if (form.q === '') return {};
  const [answer, similar, suggested] = await Promise.all([
    discovery.searchLearningObjects(toQuery(form)).catch(orNothing),
    discovery.findSkills(form.q, MAX_SIMILAR, form.lang || undefined),
    discovery.complete(form.q),
  ]);
  return {
    similar: distinctLabels(similar, form.q),
    suggestions: distinctLabels(suggested.suggestions, form.q).slice(0, 5),
    results: answer && {
      items: answer.content.map((object, i) => toResultView(object, answer.highlights?.[i])),
      total: answer.totalItems,
      first: answer.page * ITEMS_PER_PAGE + 1,
      pages: Math.ceil(answer.totalItems / ITEMS_PER_PAGE),
      isExact: answer.quality === 'A00',
    },
    countOf: countIn(answer?.facets),
  };
}

/** How many objects a choice would leave, for its option; nothing where there is no search to count for. */
function countIn(facets: Facets | undefined) {
  return (field: keyof Facets, value: string) =>
    facets === undefined ? '' : ` (${facets[field].get(value) ?? 0})`;
}

/** A provider that no longer exists finds nothing; the page then offers to drop the filter. */
function orNothing(error: unknown): null {
  if (error instanceof AppError && error.kind === 'not_found') return null;
  throw error;
}

/** Each label once, and not what was asked for. */
function distinctLabels<T extends { readonly label: string }>(terms: readonly T[], q: string): T[] {
  const seen = new Set([q.toLowerCase()]);
  return terms.filter(({ label }) => seen.size !== seen.add(label.toLowerCase()).size);
}

async function tagsModel(discovery: Discovery, body: Record<string, unknown>) {
  const text = typeof body.text === 'string' ? body.text.trim() : '';
  const lang = body.lang === 'fr' ? 'fr' : 'en';
  if (text === '')
    return { text, lang, problem: 'Paste a text first: a job description, a syllabus, a paragraph.' };
  if (text.length > MAX_TEXT_LENGTH) {
    return {
      text,
      lang,
      problem: `The text has ${text.length.toLocaleString('en')} characters; at most ${MAX_TEXT_LENGTH.toLocaleString('en')} can be tagged. Shorten it.`,
    };
  }
  return { text, lang, tags: (await discovery.tagText(text, lang)).tags };
}

async function sendLogo(discovery: Discovery, request: Request, response: Response): Promise<void> {
  const { providers } = await discovery.lists();
  const provider = providers.find(({ id }) => id === request.params.provider);
  const [, colorScheme, aspectRatio] =
    /^(dark|light)-(landscape|square)\.svg$/.exec(String(request.params.variant)) ?? [];
  if (provider === undefined || colorScheme === undefined || aspectRatio === undefined) {
    throw new AppError(
      'PATH_UNKNOWN',
      'There is no such logo. The provider list names the addresses of all logos.',
    );
  }
  response
    .type('image/svg+xml')
    .set({ 'Cache-Control': 'public, max-age=86400', 'Cross-Origin-Resource-Policy': 'cross-origin' })
    .send(
      drawLogo({
        name: provider.name,
        colorScheme: colorScheme as 'dark',
        aspectRatio: aspectRatio as 'square',
      }),
    );
}

async function limit(limiter: RateLimiterMemory, request: Request): Promise<void> {
  try {
    await limiter.consume(request.ip ?? 'unknown');
  } catch (refused) {
    const wait = Math.ceil((refused as { msBeforeNext?: number }).msBeforeNext ?? 1000) / 1000;
    throw new AppError(
      'RATE_LIMITED',
      'That were many searches in a short time. Wait a moment and try again.',
      {
        retryAfterSeconds: Math.ceil(wait),
      },
    );
  }
}

function queryOf(request: Request): URLSearchParams {
  const start = request.originalUrl.indexOf('?');
  return new URLSearchParams(start < 0 ? '' : request.originalUrl.slice(start));
}
