import { finishInTime } from '#domain/async/deadline';
import type { SlackApp } from '#domain/slack';
import { AppError } from '#errors';

/** Every request from Slack needs the app; the store is asked once in this time. */
const RECENT_MS = 1_000;
/** Slack waits for three seconds, and most of them are for the answer. */
const PATIENCE_MS = 500;

export interface RecentApp {
  /** While the store is silent or fails, what was read last. Errors: those of the reading, where nothing was read before;
   *  SECRET_UNREADABLE always. */
  find(): Promise<SlackApp | null>;
  /** The app was changed here: what is being read is outdated. */
  change(app: SlackApp | null): void;
}

interface Reading {
  readonly app: Promise<SlackApp | null>;
  readonly readAt: number;
}

/** The app as it was read last.
 *  @param now milliseconds of a monotonic clock */
export function createRecentApp(read: () => Promise<SlackApp | null>, now: () => number): RecentApp {
  let recent: Reading | undefined;
  let last: { readonly app: SlackApp | null } | undefined;
  let changes = 0;

  function readRecent(): Reading {
    if (recent !== undefined && now() - recent.readAt < RECENT_MS) return recent;
    const reading = { app: read(), readAt: now() };
    const before = changes;
    recent = reading;
    reading.app.then(
      (app) => {
        if (changes === before) last = { app };
      },
      () => {
        if (recent === reading) recent = undefined;
      },
    );
    return reading;
  }

  return {
    async find() {
      const known = last;
      const { app, readAt } = readRecent();
      if (known === undefined) return app;
      const found = app.then(
        (fresh) => ({ app: fresh }),
        (error: unknown) => {
          if (isUnreadable(error)) throw error;
          return known;
        },
      );
      // While the store is silent, only the first callers wait.
      const leftMs = Math.max(0, PATIENCE_MS - (now() - readAt));
      return ((await finishInTime(found, leftMs)) ?? known).app;
    },
    change(app) {
      recent = undefined;
      last = { app };
      changes++;
    },
  };
}

/** The store has answered: asking again changes nothing. */
export const isUnreadable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'SECRET_UNREADABLE';
