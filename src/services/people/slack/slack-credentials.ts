import type { Actor } from '#domain/admin';
import { finishInTime } from '#domain/async/deadline';
import type { SlackApp } from '#domain/slack';
import { DEFAULT_TENANT } from '#domain/tenant';
import { AppError, hasErrorCode, type Problem } from '#errors';
import { bindState } from '#services/host/bind-state';
import type { SecretHint, Secrets } from '#services/host/secrets';
import type { Audit } from '#services/tenants/audit';

export interface SlackSettings {
  /** Settings of the environment take precedence over saved ones; null if there are none. */
  readonly source: 'environment' | 'saved' | null;
  readonly clientId: string | null;
  /** Hint of the saved secret; null if there is none or it comes from the environment. */
  readonly clientSecret: SecretHint | null;
  readonly signingSecret: SecretHint | null;
}

export interface SlackCredentialsDeps {
  readonly secrets: Secrets;
  readonly audit: Audit;
  /** The app that is set in the environment. */
  readonly environmentApp: SlackApp | undefined;
  /** Origin of Slack's API, the only one that secrets are sent to. */
  readonly apiOrigin: string;
}

interface CredentialsState extends SlackCredentialsDeps {
  readonly recent: ReturnType<typeof createRecentSlackApp>;
}

const SECRET = 'slack-app';

/** @param now milliseconds of a monotonic clock */
export function createSlackCredentials(deps: SlackCredentialsDeps, now = () => performance.now()) {
  const recent = createRecentSlackApp(() => readSlackApp(deps), now);
  return {
    ...bindState(
      { ...deps, recent },
      { describe: describeSlackCredentials, save: saveSlackCredentials, remove: removeSlackCredentials },
    ),
    /** Returns the app; null if there is none. Changes made on another host show within two
     *  seconds; while the store is slow or fails, the app that was read last is returned.
     *  Errors: SECRET_UNREADABLE; STORE_UNAVAILABLE if nothing was read before. */
    find: async () => deps.environmentApp ?? recent.find(),
  };
}

/** ID and secrets are one secret, so that two people who save at once cannot mix two apps. */
async function readSlackApp({ secrets, apiOrigin }: SlackCredentialsDeps): Promise<SlackApp | null> {
  const json = await secrets.findSecret(DEFAULT_TENANT, SECRET, apiOrigin);
  return json === null ? null : (JSON.parse(json) as SlackApp);
}

/** Returns null for an app that cannot be read, as it can still be replaced. */
function findReadableSlackApp(deps: SlackCredentialsDeps): Promise<SlackApp | null> {
  return readSlackApp(deps).catch((error: unknown) => {
    if (hasErrorCode(error, 'SECRET_UNREADABLE')) return null;
    throw error;
  });
}

/** Sets only `source` for credentials that are saved but cannot be read. */
async function describeSlackCredentials(deps: SlackCredentialsDeps): Promise<SlackSettings> {
  const { secrets, environmentApp, apiOrigin } = deps;
  if (environmentApp !== undefined) return toSlackSettings('environment', environmentApp.clientId);
  const hint = await secrets.findHint(DEFAULT_TENANT, SECRET, apiOrigin);
  if (hint === null) return toSlackSettings(null, null);
  const app = await findReadableSlackApp(deps);
  if (app === null) return toSlackSettings('saved', null);
  const hintOf = (secret: string): SecretHint => ({ ...hint, lastFour: secret.slice(-4) });
  const hints = { clientSecret: hintOf(app.clientSecret), signingSecret: hintOf(app.signingSecret) };
  return { ...toSlackSettings('saved', app.clientId), ...hints };
}

/** Saves the app. A secret that is left out stays as it is, unless the client ID changes.
 *  Errors: FORM_INVALID (fields as in `SlackApp`); SLACK_SETTINGS_FIXED by the environment. */
async function saveSlackCredentials(state: CredentialsState, actor: Actor, form: SlackAppForm): Promise<void> {
  checkIsChangeable(state);
  const app = validateSlackApp(form, await findReadableSlackApp(state));
  const { clientId, clientSecret, signingSecret } = app;
  // The ID comes last, because the last four characters of a secret are stored in plain text.
  const plain = JSON.stringify({ clientSecret, signingSecret, clientId });
  await state.secrets.putSecret(DEFAULT_TENANT, SECRET, { plain, boundTo: state.apiOrigin });
  state.recent.replace(app);
  await state.audit.record(actor, { action: 'slack-app.saved', tenantId: null, target: clientId });
}

/** Does nothing if no app is saved. Errors: SLACK_SETTINGS_FIXED. */
async function removeSlackCredentials(state: CredentialsState, actor: Actor): Promise<void> {
  checkIsChangeable(state);
  const app = await findReadableSlackApp(state);
  const isRemoved = await state.secrets.removeSecret(DEFAULT_TENANT, SECRET);
  state.recent.replace(null);
  if (!isRemoved) return;
  await state.audit.record(actor, { action: 'slack-app.removed', tenantId: null, target: app?.clientId ?? '' });
}

function checkIsChangeable({ environmentApp }: SlackCredentialsDeps): void {
  if (environmentApp !== undefined)
    throw new AppError(
      'SLACK_SETTINGS_FIXED',
      'The Slack app is set in the environment of this host. Change SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and SLACK_SIGNING_SECRET there, or remove them to set it here.',
    );
}

const toSlackSettings = (source: SlackSettings['source'], clientId: string | null): SlackSettings => ({
  source,
  clientId,
  clientSecret: null,
  signingSecret: null,
});

/** Every request from Slack needs the app, so it is cached for this time. */
const RECENT_MS = 1_000;
/** Slack waits for three seconds, most of which are for the answer. */
const MAX_WAIT_MS = 500;

type CachedApp = { readonly app: Promise<SlackApp | null>; readonly startedMs: number };

/** Caches the app, and remembers the last one. @param now milliseconds of a monotonic clock */
function createRecentSlackApp(read: () => Promise<SlackApp | null>, now: () => number) {
  let recent: CachedApp | undefined;
  let last: { readonly app: SlackApp | null } | undefined;
  let changes = 0;

  function readThrough(): CachedApp {
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
    /** Returns the last app, if any, while the store is slow or fails. Errors: those of `read`. */
    async find(): Promise<SlackApp | null> {
      const cached = last;
      const { app, startedMs } = readThrough();
      if (cached === undefined) return app;
      const fresh = app.then(
        (value) => ({ app: value }),
        (error: unknown) => {
          // The store has answered, so reading again is of no use.
          if (hasErrorCode(error, 'SECRET_UNREADABLE')) throw error;
          return cached;
        },
      );
      // While the store is slow, only the first callers wait.
      const leftMs = Math.max(0, MAX_WAIT_MS - (now() - startedMs));
      return ((await finishInTime(fresh, leftMs)) ?? cached).app;
    },
    replace(app: SlackApp | null): void {
      recent = undefined;
      last = { app };
      changes++;
    },
  };
}

export type SlackAppForm = Pick<SlackApp, 'clientId'> & Partial<SlackApp>;

/** Why a field is refused, for faces that translate the message. */
type SlackAppReason =
  | 'slack-client-id'
  | 'slack-secret'
  | 'slack-secret-missing'
  | 'slack-secret-token'
  | 'slack-secret-same';

type SlackAppProblem = Problem & { readonly reason: SlackAppReason };

const problemTexts: Readonly<Record<SlackAppReason, string>> = {
  'slack-client-id': 'must be two numbers with a dot in between, as Slack shows it under “Basic Information”',
  'slack-secret': 'must have 12 to 200 characters and no blanks',
  'slack-secret-missing': 'must be given',
  'slack-secret-token': 'must not be a token (xox…, xapp…): copy the secret from “Basic Information”',
  'slack-secret-same': 'must not be the client secret: Slack shows the signing secret below it',
};

/** Long enough to show the last four characters. */
const SECRET_SHAPE = /^[!-~]{12,200}$/;
const CLIENT_ID_SHAPE = /^\d{1,40}\.\d{1,40}$/;
const TOKEN_SHAPE = /^(?:xox|xapp)/i;

/** Returns the trimmed app with the saved secrets of its client ID. Errors: FORM_INVALID. */
function validateSlackApp(form: SlackAppForm, before: SlackApp | null): SlackApp {
  const clientId = form.clientId.trim();
  const saved = before?.clientId === clientId ? before : null;
  const secretOf = (name: 'clientSecret' | 'signingSecret') => form[name]?.trim() || (saved?.[name] ?? '');
  const app = { clientId, clientSecret: secretOf('clientSecret'), signingSecret: secretOf('signingSecret') };
  const problems = findSlackAppProblems(app);
  if (problems.length === 0) return app;
  const message = 'The Slack app was not saved: correct what is marked, and send it again.';
  throw new AppError('FORM_INVALID', message, { problems });
}

function findSlackAppProblems({ clientId, clientSecret, signingSecret }: SlackApp): SlackAppProblem[] {
  const sameSecret = signingSecret === clientSecret ? 'slack-secret-same' : null;
  const checks: [path: keyof SlackApp, reason: SlackAppReason | null][] = [
    ['clientId', CLIENT_ID_SHAPE.test(clientId) ? null : 'slack-client-id'],
    ['clientSecret', checkSlackSecret(clientSecret)],
    ['signingSecret', checkSlackSecret(signingSecret) ?? sameSecret],
  ];
  return checks.flatMap(([path, reason]) => (reason === null ? [] : [{ path, reason, problem: problemTexts[reason] }]));
}

function checkSlackSecret(secret: string): SlackAppReason | null {
  if (secret === '') return 'slack-secret-missing';
  if (TOKEN_SHAPE.test(secret)) return 'slack-secret-token';
  return SECRET_SHAPE.test(secret) ? null : 'slack-secret';
}
