import type { SlackApp } from '../../domain/slack.ts';
import { AppError, type Problem } from '../../errors.ts';
import type { SlackAppForm } from '../slack-credentials.ts';

/** Why a field is refused, for faces that say it in another language. */
export type SlackAppReason = 'slack-client-id' | 'slack-secret' | 'slack-secret-missing';

interface SlackAppProblem extends Problem {
  readonly reason: SlackAppReason;
}

const words: Readonly<Record<SlackAppReason, string>> = {
  'slack-client-id': 'must be a client ID as Slack shows it: 1 to 100 letters, digits and dots',
  'slack-secret': 'must have 12 to 200 characters and no blanks',
  'slack-secret-missing': 'must be given',
};

/** Where one of these is shown, its last four characters say nothing of the rest. */
const SECRET_SHAPE = /^[!-~]{12,200}$/;
const CLIENT_ID_SHAPE = /^[\w.-]{1,100}$/;

/** As it is saved: without blanks around, with the secrets of `before` where it is the same app. Errors: FORM_INVALID. */
export function checkedApp(form: SlackAppForm, before: SlackApp | null): SlackApp {
  const clientId = form.clientId.trim();
  const known = before?.clientId === clientId ? before : null;
  const secretOf = (name: 'clientSecret' | 'signingSecret') => form[name]?.trim() || (known?.[name] ?? '');
  const app = { clientId, clientSecret: secretOf('clientSecret'), signingSecret: secretOf('signingSecret') };
  const problems = findProblems(app);
  if (problems.length === 0) return app;
  throw new AppError(
    'FORM_INVALID',
    'The Slack app was not saved: correct what is marked, and send it again.',
    {
      problems,
    },
  );
}

function findProblems({ clientId, ...secrets }: SlackApp): SlackAppProblem[] {
  return [
    ...(CLIENT_ID_SHAPE.test(clientId) ? [] : [problemOf('clientId', 'slack-client-id')]),
    ...Object.entries(secrets)
      .filter(([, secret]) => !SECRET_SHAPE.test(secret))
      .map(([path, secret]) => problemOf(path, secret === '' ? 'slack-secret-missing' : 'slack-secret')),
  ];
}

const problemOf = (path: string, reason: SlackAppReason): SlackAppProblem => ({
  path,
  reason,
  problem: words[reason],
});
