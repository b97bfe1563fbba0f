import type { ErrorRequestHandler, Router } from 'express';
import { finishInTime } from '#domain/async/deadline';
import { toPublicPictures } from '#domain/picture';
import { AppError } from '#errors';
import { isGivenUp } from '../aborted-with.ts';
import { beginErrorAnswer } from '../app-errors.ts';
import { createStrictRouter } from '../strict-paths.ts';
import { type BoltAppDeps, createHttpApp } from './app/bolt-app.ts';
import { createEventsRoute } from './app/events-route.ts';
import { createPersonWords } from './app/person-words.ts';
import { keepSocket } from './app/socket-mode.ts';
import { createTurns, type Turns } from './app/turns.ts';
import { rememberByConnection } from './connection.ts';
import type { SlackFaceDeps } from './deps.ts';
import { homeListeners } from './home/home.ts';
import { createInstallRoutes, REDIRECT_PATH } from './install/install.ts';
import { createInstallPages, type InstallPages } from './install/install-pages.ts';
import { keepLookingOver } from './install/look-over.ts';
import { createLearn, learnListeners } from './learn/learn.ts';
import type { Listener } from './listener.ts';
import { searchListeners } from './search-modal/search-modal.ts';
import { skillsListeners } from './skills/skills.ts';
import { loadBolt } from './slack-api/bolt.ts';

export interface SlackFace {
  /** To be mounted at `/slack`, before anything that reads bodies. */
  readonly router: Router;
  /** Ends the connection of Socket Mode and waits some seconds for the answers under way; people who have none by then are
   *  told that the host stops. */
  close(): Promise<void>;
}

const CLOSE_MS = 5_000;
const TELL_MS = 2_000;

/** The Slack app: commands, interactions and events at `/events`, installing at `/install`. */
export function createSlackFace(
  deps: SlackFaceDeps,
  listeners: readonly Listener[] = createSlackListeners(deps),
): SlackFace {
  const personWords = createPersonWords({
    pictures: toPublicPictures(deps.pictures, deps.publicUrl),
    onProblem: deps.onProblem,
  });
  const { track, settle } = createTracker(deps.onProblem);
  const turns = createTurns(deps);
  const { closing, close } = createClosing(settle, turns);
  const given = { deps, listeners, personWords, turns, track, closing };
  if (deps.appToken !== undefined) track(keepSocket(deps.appToken, given));
  track(keepLookingOver(deps, closing));
  void warmUp(deps).catch(deps.onProblem);
  const pages = createInstallPages(personWords.languages);
  return { router: createRouter(given, pages), close };
}

/** Everything that the app listens to. */
export function createSlackListeners(deps: SlackFaceDeps): readonly Listener[] {
  const learn = createLearn(deps);
  return [
    ...learnListeners(deps, learn),
    ...skillsListeners(deps, learn),
    ...searchListeners(deps, learn),
    ...homeListeners(deps, learn),
  ];
}

function createRouter(given: BoltAppDeps, pages: InstallPages): Router {
  const { deps } = given;
  const appOf = rememberByConnection((connection) => createHttpApp(connection, given));
  const { begin, finish } = createInstallRoutes(deps, pages);
  const router = createStrictRouter();
  router.post('/events', createEventsRoute({ deps, appOf }));
  router.get('/install', begin);
  router.get(REDIRECT_PATH, finish);
  router.use(() => {
    throw new AppError('PATH_UNKNOWN', 'No page of the Slack app has this address.');
  });
  router.use(createErrorAnswers(pages));
  return router;
}

/** Closes once, however often it is asked to. */
function createClosing(settle: () => Promise<true>, turns: Turns) {
  const stopping = new AbortController();
  let closed: Promise<void> | null = null;

  async function end(): Promise<void> {
    stopping.abort();
    if ((await finishInTime(settle(), CLOSE_MS)) !== null) return;
    turns.stop();
    await finishInTime(settle(), TELL_MS);
  }

  return {
    closing: stopping.signal,
    close(): Promise<void> {
      closed ??= end();
      return closed;
    },
  };
}

/** Loads Bolt early: the first command, too, must be answered within three seconds. */
async function warmUp({ findConnection }: SlackFaceDeps): Promise<void> {
  if ((await findConnection()) !== null) await loadBolt();
}

/** What goes on after Slack has its acknowledgement. */
function createTracker(onProblem: (error: unknown) => void) {
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

/** Programs get JSON, people a page. */
function createErrorAnswers(pages: InstallPages): ErrorRequestHandler {
  return (thrown, request, response, next) => {
    if (response.headersSent) return next(thrown);
    if (isGivenUp(thrown, response)) return;
    const publicError = beginErrorAnswer(thrown, request, response);
    const { error, reference } = publicError;
    if (request.path !== '/events') return pages.sendFailed(error, { request, response, token: null });
    // What is missing is not secret, and the person who sets Slack up sees this answer.
    const message = error.code === 'SLACK_OFF' ? error.message : publicError.message;
    response.json({ code: error.code, message, reference });
  };
}
