import type { ErrorRequestHandler, Router } from 'express';
import { finishInTime } from '#domain/async/deadline';
import { toPublicPictures } from '#domain/picture';
import { AppError } from '#errors';
import { answerErrorsBy } from '../app-errors.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { type BoltAppDeps, createHttpApp } from './app/bolt-app.ts';
import { createEventsRoute } from './app/events-route.ts';
import { createPersonWords } from './app/person-words.ts';
import { createRequestLimits, type RequestLimits } from './app/request-limits.ts';
import { keepSocket } from './app/socket-mode.ts';
import type { SlackFaceDeps } from './deps.ts';
import { homeListeners } from './home/home.ts';
import { createInstallPages, createInstallRoutes, type InstallPages, REDIRECT_PATH } from './install/install.ts';
import { keepRetryingRemovals } from './install/removal.ts';
import { learnListeners } from './learn/learn.ts';
import type { Listener } from './listener.ts';
import { searchListeners } from './search-modal/search-modal.ts';
import { skillsListeners } from './skills/skills.ts';
import { loadBolt, rememberByConnection } from './slack-api/bolt.ts';

export type SlackFace = ReturnType<typeof createSlackFace>;

/** The Slack app: commands, interactions and events at `/events`, installing at `/install`. */
export function createSlackFace(deps: SlackFaceDeps, listeners = slackListeners) {
  const personWords = createPersonWords({
    pictures: toPublicPictures(deps.pictures, deps.publicUrl),
    onProblem: deps.onProblem,
  });
  const { track, settle } = createWorkTracker(deps.onProblem);
  const limits = createRequestLimits(deps);
  const { closing, close } = createClosing(settle, limits);
  const appDeps = { ...deps, listeners, personWords, limits, track, closing };
  if (deps.appToken !== undefined) track(keepSocket(deps.appToken, appDeps));
  track(keepRetryingRemovals(deps, closing));
  // Bolt is loaded early: the first command, too, must be answered within three seconds.
  void deps
    .findConnection()
    .then((connection) => connection && loadBolt())
    .catch(deps.onProblem);
  const pages = createInstallPages(personWords.languages);
  return {
    router: createSlackRouter(appDeps, pages),
    /** Ends Socket Mode and gives answers some seconds; then people read that the host stops. */
    close,
  };
}

export const slackListeners: readonly Listener[] = [
  ...learnListeners,
  ...skillsListeners,
  ...searchListeners,
  ...homeListeners,
];

function createSlackRouter(deps: BoltAppDeps, pages: InstallPages): Router {
  const receiverOf = rememberByConnection((connection) => createHttpApp(connection, deps));
  const { begin, finish } = createInstallRoutes(deps, pages);
  const router = createStrictRouter();
  router.post('/events', createEventsRoute(deps, receiverOf));
  router.get('/install', begin);
  router.get(REDIRECT_PATH, finish);
  router.use(() => {
    throw new AppError('PATH_UNKNOWN', 'No page of the Slack app has this address.');
  });
  router.use(createErrorAnswers(pages));
  return router;
}

/** How long answers have to end. */
const CLOSE_MS = 5_000;
/** How long replies have to say that the host stops. */
const FAREWELL_MS = 2_000;

/** Makes the end of the face: `closing` is aborted first; `close` may be called more than once. */
function createClosing(settle: () => Promise<true>, limits: RequestLimits) {
  const stopping = new AbortController();
  let closed: Promise<void> | null = null;

  async function end(): Promise<void> {
    stopping.abort();
    if ((await finishInTime(settle(), CLOSE_MS)) !== null) return;
    limits.stop();
    await finishInTime(settle(), FAREWELL_MS);
  }

  return {
    closing: stopping.signal,
    close(): Promise<void> {
      closed ??= end();
      return closed;
    },
  };
}

function createWorkTracker(onProblem: (error: unknown) => void) {
  const running = new Set<Promise<unknown>>();
  return {
    track(work: Promise<unknown>): void {
      const watched: Promise<unknown> = work.catch(onProblem).finally(() => running.delete(watched));
      running.add(watched);
    },
    /** @returns true when all has ended */
    async settle(): Promise<true> {
      while (running.size > 0) await Promise.all(running);
      return true;
    },
  };
}

/** Answers errors with JSON for Slack, and with a page for people who install the app. */
function createErrorAnswers(pages: InstallPages): ErrorRequestHandler {
  return answerErrorsBy((publicError, request, response) => {
    const { error, reference } = publicError;
    if (request.path !== '/events') return pages.sendFailed(error, { request, response, token: null });
    // Which settings are missing is not secret, and whoever sets Slack up sees this answer.
    const message = error.code === 'SLACK_OFF' ? error.message : publicError.message;
    response.json({ code: error.code, message, reference });
  });
}
