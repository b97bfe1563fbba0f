import type { Actor } from '#domain/admin';
import { finishInTime } from '#domain/async/deadline';
import type { SlackApp } from '#domain/slack';
import { DEFAULT_TENANT } from '#domain/tenant';
import { AppError } from '#errors';
import type { SecretHint, Secrets } from '#services/host/secrets';
import type { Audit } from '#services/tenants/audit';
import { type SlackAppForm, validateSlackApp } from './validate-slack-app.ts';

export interface SlackSettings {
  /** Settings of the environment take precedence over saved ones; null where there are none. */
  readonly source: 'environment' | 'saved' | null;
  readonly clientId: string | null;
  /** Null also for a secret of the environment. */
  readonly clientSecret: SecretHint | null;
  readonly signingSecret: SecretHint | null;
}

/** The credentials of the Slack app of this host. */
export type SlackCredentials = ReturnType<typeof createSlackCredentials>;

export interface SlackCredentialsDeps {
  readonly secrets: Secrets;
  readonly audit: Audit;
  /** The app that is set in the environment. */
  readonly environmentApp: SlackApp | undefined;
  /** Origin of Slack's API, the only one that secrets are sent to. */
  readonly apiOrigin: string;
}

const SECRET = 'slack-app';

/** @param now milliseconds of a monotonic clock */
export function createSlackCredentials(deps: SlackCredentialsDeps, now = () => performance.now()) {
  const { secrets, audit, environmentApp, apiOrigin } = deps;
  /** ID and secrets are one secret, so that two people who save at once cannot mix two apps. */
  async function read(): Promise<SlackApp | null> {
    const json = await secrets.findSecret(DEFAULT_TENANT, SECRET, apiOrigin);
    return json === null ? null : (JSON.parse(json) as SlackApp);
  }

  const recent = createRecentApp(read, now);

  /** An app that cannot be read can still be replaced. */
  const readIfPossible = () =>
    read().catch((error: unknown) => {
      if (isUnreadable(error)) return null;
      throw error;
    });

  function refuseFixed(): void {
    if (environmentApp !== undefined)
      throw new AppError(
        'SLACK_SETTINGS_FIXED',
        'The Slack app is set in the environment of this host. Change SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_SIGNING_SECRET there, or remove them to set it here.',
      );
  }

  return {
    /** Null where there is none. Changes made on another host show within two seconds; while the
     *  store is slow or fails, the app that was read last is returned.
     *  Errors: SECRET_UNREADABLE; STORE_UNAVAILABLE where nothing was read before. */
    find: async () => environmentApp ?? recent.find(),
    /** Of credentials that are saved but cannot be read, only `source` is set. */
    async describe(): Promise<SlackSettings> {
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
    /** A secret that is left out stays as it is, unless the client ID is another one.
     *  Errors: FORM_INVALID (fields as in `SlackApp`); SLACK_SETTINGS_FIXED when the app is set in
     *  the environment. */
    async save(actor: Actor, form: SlackAppForm): Promise<void> {
      refuseFixed();
      const app = validateSlackApp(form, await readIfPossible());
      const { clientId, ...others } = app;
      // The ID comes last, because the last four characters of a secret are stored in plain text.
      const plain = JSON.stringify({ ...others, clientId });
      await secrets.putSecret(DEFAULT_TENANT, SECRET, { plain, boundTo: apiOrigin });
      recent.replace(app);
      await audit.record(actor, { action: 'slack-app.saved', tenantId: null, target: clientId });
    },
    /** Does nothing where no app is saved. Errors: SLACK_SETTINGS_FIXED. */
    async remove(actor: Actor): Promise<void> {
      refuseFixed();
      const app = await readIfPossible();
      const isRemoved = await secrets.removeSecret(DEFAULT_TENANT, SECRET);
      recent.replace(null);
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

/** Every request from Slack needs the app, so it is cached for this time. */
const RECENT_MS = 1_000;
/** Slack waits for three seconds, most of which are for the answer. */
const MAX_WAIT_MS = 500;

interface Read {
  readonly app: Promise<SlackApp | null>;
  readonly startedMs: number;
}

/** Caches the app. @param now milliseconds of a monotonic clock */
function createRecentApp(read: () => Promise<SlackApp | null>, now: () => number) {
  let recent: Read | undefined;
  let last: { readonly app: SlackApp | null } | undefined;
  let changes = 0;

  function readThrough(): Read {
    if (recent !== undefined && now() - recent.startedMs < RECENT_MS) return recent;
    const started = { app: read(), startedMs: now() };
    const before = changes;
    recent = started;
    started.app.then(
      (app) => {
        if (changes === before) last = { app };
      },
      () => {
        if (recent === started) recent = undefined;
      },
    );
    return started;
  }

  return {
    /** While the store is slow or fails, the app that was read last. Errors: those of `read`, where
     *  no app was read before; SECRET_UNREADABLE always. */
    async find(): Promise<SlackApp | null> {
      const cached = last;
      const { app, startedMs } = readThrough();
      if (cached === undefined) return app;
      const fresh = app.then(
        (value) => ({ app: value }),
        (error: unknown) => {
          if (isUnreadable(error)) throw error;
          return cached;
        },
      );
      // While the store is slow, only the first callers wait.
      const leftMs = Math.max(0, MAX_WAIT_MS - (now() - startedMs));
      return ((await finishInTime(fresh, leftMs)) ?? cached).app;
    },
    /** Replaces the cached app after a change on this host. */
    replace(app: SlackApp | null): void {
      recent = undefined;
      last = { app };
      changes++;
    },
  };
}

/** The store has answered, so reading again is of no use. */
const isUnreadable = (error: unknown): boolean => error instanceof AppError && error.code === 'SECRET_UNREADABLE';
