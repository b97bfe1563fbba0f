import { randomBytes } from 'node:crypto';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { AppError } from '#errors';
import { beginErrorAnswer } from '#faces/app-errors';
import { createStrictRouter } from '#faces/strict-paths';
import { chooseLocale, type Languages } from '#faces/words/i18n';
import { views } from '../views.ts';
import { addressOf, type ChatLimits } from './chat-limits.ts';
import { makeChatPageModel, makeChatState } from './chat-state.ts';
import { createChatWorld } from './chat-world.ts';
import type { Chats } from './chats.ts';
import { readActBody, readSuggestBody } from './read-act.ts';
import { runAct, suggest } from './run-act.ts';

const SESSION_COOKIE = 'demo_chat';

const CHAT_PATH = '/demo/slack';

const SESSION_BYTES = 24;

export interface ChatRoutesDeps {
  readonly chats: Chats;
  readonly limits: ChatLimits;
  readonly languages: Languages;
  /** Of the front page. */
  readonly hostUrl: string;
  /** Whether browsers reach the page over https. */
  readonly isSecure: boolean;
}

const MAX_BODY = '256kb';

/** The chat page, and what its scripts ask for. */
export function createChatRoutes(deps: ChatRoutesDeps): Router {
  const { chats, limits, languages, hostUrl, isSecure } = deps;
  const router = createStrictRouter();
  const wordsOf = (request: Request) => {
    const locale = chooseLocale(queryOf(request).get('lang') ?? undefined, request.get('accept-language'));
    return { locale, t: languages.translatorOf(locale) };
  };

  router.get('/', (request, response) => {
    const world = createChatWorld(readSession(request) ?? beginSession(response, isSecure));
    const model = makeChatPageModel(world, wordsOf(request), hostUrl);
    response.type('html').send(views.render('chat', model));
  });

  router.get('/state', (request, response) => {
    const query = queryOf(request);
    const session = getSession(request);
    const chat = chats.find(session) ?? chats.preview(session, wordsOf(request).t);
    const seen = { userId: query.get('user') ?? '', channelId: query.get('channel') ?? '' };
    const isSame = query.get('version') === String(chat.version());
    response.json(isSame ? { version: chat.version() } : makeChatState(chat, seen));
  });

  router.post('/acts', readJson, async (request, response) => {
    await limits.countAct(request);
    const session = getSession(request);
    const body = readActBody(request.body);
    const { t } = wordsOf(request);
    if (chats.find(session) === null) await limits.countChat(request);
    const chat = await chats.open(session, { t, address: addressOf(request) });
    const outcome = await runAct(chat, body, t);
    response.json({ ...outcome, state: makeChatState(chat, body) });
  });

  router.post('/suggestions', readJson, async (request, response) => {
    await limits.countAct(request);
    const chat = chats.find(getSession(request)) ?? refuse();
    response.json(await suggest(chat, readSuggestBody(request.body)));
  });

  router.post('/reset', async (request, response) => {
    await chats.remove(readSession(request) ?? '');
    beginSession(response, isSecure);
    response.redirect(303, `/demo/slack?lang=${wordsOf(request).locale}`);
  });

  router.use(answerScripts);
  return router;
}

const readJson: RequestHandler = express.json({ limit: MAX_BODY });

const queryOf = ({ originalUrl }: Pick<Request, 'originalUrl'>) => new URLSearchParams(originalUrl.split('?')[1] ?? '');

const getSession = (request: Request): string => readSession(request) ?? refuse();

function refuse(): never {
  throw new AppError('FORM_EXPIRED', 'This chat is over. Load the page again.');
}

/** Scripts get errors as data; people, who only open pages, get a page. */
const answerScripts: ErrorRequestHandler = (thrown, request, response, next) => {
  if (response.headersSent || request.path === '/' || request.path === '/reset') return next(thrown);
  const { error, message, reference } = beginErrorAnswer(thrown, request, response);
  response.json({ code: error.code, message, reference });
};

/** Which chat is a browser's own. */
function readSession({ headers }: Pick<Request, 'headers'>): string | null {
  return new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([\\w-]{32})(?:;|$)`).exec(headers.cookie ?? '')?.[1] ?? null;
}

/** @returns one that no browser has yet */
function beginSession(response: Response, isSecure: boolean): string {
  const session = randomBytes(SESSION_BYTES).toString('base64url');
  response.cookie(SESSION_COOKIE, session, {
    path: CHAT_PATH,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
  });
  return session;
}
