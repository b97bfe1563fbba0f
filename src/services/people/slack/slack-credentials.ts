import type { Actor } from '#domain/admin';
import { finishInTime } from '#domain/async/deadline';
import type { SlackApp } from '#domain/slack';
import { DEFAULT_TENANT } from '#domain/tenant';
import { AppError } from '#errors';
import type { SecretHint, Secrets } from '#services/host/secrets';
import type { Audit } from '#services/tenants/audit';
import { type SlackAppForm, validateSlackApp } from './validate-slack-app.ts';

export interface SlackSettings {
  /** Whether they are set in the environment, which goes before what is saved; null where there are none. */
  readonly source: 'environment' | 'saved' | null;
  readonly clientId: string | null;
  /** Null also for what is set in the environment. */
  readonly clientSecret: SecretHint | null;
  readonly signingSecret: SecretHint | null;
}

/** The Slack app of this host. */
export interface SlackCredentials {
  /** Null where there is none. What another host saves is seen within two seconds; while the store is silent or fails, what was
   *  read last counts. Errors: SECRET_UNREADABLE, STORE_UNAVAILABLE where nothing was read before. */
  find(): Promise<SlackApp | null>;
  /** For what is saved but cannot be read, only says that it is saved. */
  describe(): Promise<SlackSettings>;
  /** A secret that is left out stays as it is; another client id is another app and needs both.
   *  Errors: FORM_INVALID (fields as in `SlackApp`), SLACK_SETTINGS_FIXED when they are set in the environment. */
  save(actor: Actor, form: SlackAppForm): Promise<void>;
  /** Does nothing where none is saved. Errors: SLACK_SETTINGS_FIXED. */
  remove(actor: Actor): Promise<void>;
}

export interface SlackCredentialsDeps {
  readonly secrets: Secrets;
  readonly audit: Audit;
  /** Of the environment. */
  readonly environmentApp: SlackApp | undefined;
  /** Origin of Slack's API: the secrets are sent nowhere else. */
  readonly apiOrigin: string;
}

const SECRET = 'slack-app';

/** @param now milliseconds of a monotonic clock, as ages are measured with it */
export function createSlackCredentials(
  deps: SlackCredentialsDeps,
  now = () => performance.now(),
): SlackCredentials {
  const { secrets, audit, environmentApp, apiOrigin } = deps;
  /** Kept as one secret, so that two who save at once never mix the id of one app with a secret of another. */
  async function read(): Promise<SlackApp | null> {
    const json = await secrets.findSecret(DEFAULT_TENANT, SECRET, apiOrigin);
    return json === null ? null : (JSON.parse(json) as SlackApp);
  }

  const recent = createRecentApp(read, now);

  /** What can no longer be read can still be saved anew. */
  const readIfPossible = () =>
    read().catch((error: unknown) => {
      if (isUnreadable(error)) return null;
      throw error;
    });

  function refuseFixed(): void {
    if (environmentApp !== undefined) throw fixed();
  }

  return {
    find: async () => environmentApp ?? recent.find(),
    async describe() {
      if (environmentApp !== undefined) return settingsOf('environment', environmentApp.clientId);
      const hint = await secrets.findHint(DEFAULT_TENANT, SECRET, apiOrigin);
      if (hint === null) return settingsOf(null, null);
      const app = await readIfPossible();
      if (app === null) return settingsOf('saved', null);
      const hintOf = (secret: string): SecretHint => ({ ...hint, lastFour: secret.slice(-4) });
      return {
        ...settingsOf('saved', app.clientId),
        clientSecret: hintOf(app.clientSecret),
        signingSecret: hintOf(app.signingSecret),
      };
    },
    async save(actor, form) {
      refuseFixed();
      const app = validateSlackApp(form, await readIfPossible());
      const { clientId, ...others } = app;
      // The id comes last, because the end of what is sealed is kept in the clear.
      const plain = JSON.stringify({ ...others, clientId });
      await secrets.putSecret(DEFAULT_TENANT, SECRET, { plain, boundTo: apiOrigin });
      recent.change(app);
      await audit.record(actor, { action: 'slack-app.saved', tenantId: null, target: clientId });
    },
    async remove(actor) {
      refuseFixed();
      const app = await readIfPossible();
      const isRemoved = await secrets.removeSecret(DEFAULT_TENANT, SECRET);
      recent.change(null);
      if (!isRemoved) return;
      await audit.record(actor, { action: 'slack-app.removed', tenantId: null, target: app?.clientId ?? '' });
    },
  };
}

const settingsOf = (source: SlackSettings['source'], clientId: string | null): SlackSettings => ({
  source,
  clientId,
  clientSecret: null,
  signingSecret: null,
});

function fixed(): AppError {
  return new AppError(
    'SLACK_SETTINGS_FIXED',
    'The Slack app is set in the environment of this host. Change SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_SIGNING_SECRET there, or remove them to set it here.',
  );
}

/** Every request from Slack needs the app; the store is asked once in this time. */
const RECENT_MS = 1_000;
/** Slack waits for three seconds, and most of them are for the answer. */
const PATIENCE_MS = 500;

interface RecentApp {
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
function createRecentApp(read: () => Promise<SlackApp | null>, now: () => number): RecentApp {
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
const isUnreadable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'SECRET_UNREADABLE';
