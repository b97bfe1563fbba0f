import type { SlackApp } from '#domain/slack';
import { AppError, type Problem } from '#errors';

export interface SlackAppForm {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly signingSecret?: string;
}

/** Why a field is refused, for faces that translate the message. */
export type SlackAppReason =
  | 'slack-client-id'
  | 'slack-secret'
  | 'slack-secret-missing'
  | 'slack-secret-token'
  | 'slack-secret-same';

interface SlackAppProblem extends Problem {
  readonly reason: SlackAppReason;
}

const words: Readonly<Record<SlackAppReason, string>> = {
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

/** Returns the app as it is saved: trimmed, with the secrets of `before` where it is the same app.
 *  Errors: FORM_INVALID. */
export function validateSlackApp(form: SlackAppForm, before: SlackApp | null): SlackApp {
  const clientId = form.clientId.trim();
  const saved = before?.clientId === clientId ? before : null;
  const secretOf = (name: 'clientSecret' | 'signingSecret') => form[name]?.trim() || (saved?.[name] ?? '');
  const app = { clientId, clientSecret: secretOf('clientSecret'), signingSecret: secretOf('signingSecret') };
  const problems = findProblems(app);
  if (problems.length === 0) return app;
  const message = 'The Slack app was not saved: correct what is marked, and send it again.';
  throw new AppError('FORM_INVALID', message, { problems });
}

function findProblems({ clientId, clientSecret, signingSecret }: SlackApp): SlackAppProblem[] {
  const ofSigning = signingSecret === clientSecret && signingSecret !== '' ? 'slack-secret-same' : null;
  const checks: [path: keyof SlackApp, reason: SlackAppReason | null][] = [
    ['clientId', CLIENT_ID_SHAPE.test(clientId) ? null : 'slack-client-id'],
    ['clientSecret', reasonAgainst(clientSecret)],
    ['signingSecret', reasonAgainst(signingSecret) ?? ofSigning],
  ];
  return checks.flatMap(([path, reason]) => (reason === null ? [] : [{ path, reason, problem: words[reason] }]));
}

function reasonAgainst(secret: string): SlackAppReason | null {
  if (secret === '') return 'slack-secret-missing';
  if (TOKEN_SHAPE.test(secret)) return 'slack-secret-token';
  return SECRET_SHAPE.test(secret) ? null : 'slack-secret';
}
