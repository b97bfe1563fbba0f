import { z } from 'zod';
import type { SlackSettings } from '../../../services/slack-credentials/slack-credentials.ts';
import { type FormState, formOf } from '../forms/forms.ts';

const secretNames = ['clientSecret', 'signingSecret'] as const;

const textField = z.string().default('');

/** As the service takes it, which says what is wrong. */
export const slackAppForm = z.object({
  clientId: textField,
  clientSecret: textField,
  signingSecret: textField,
});

export const formOfSlackApp = ({ clientId }: SlackSettings): FormState =>
  formOf({ clientId: clientId ?? '' });

/** What a client ID is made of: anything else may be a secret in the wrong field. */
const CLIENT_ID = /^[\d. ]*$/;

/** Secrets are never sent back, whatever field they are typed in. Whoever typed some is told to type them again. */
export function withoutSecrets(form: FormState): FormState & { readonly isTyped: Record<string, boolean> } {
  const { clientId = '' } = form.values;
  const values = { clientId: CLIENT_ID.test(clientId) ? clientId : '' };
  const isTyped = Object.fromEntries(secretNames.map((name) => [name, Boolean(form.values[name])]));
  return {
    values,
    problems: form.problems,
    all: (field) => (field === 'clientId' ? [values.clientId] : []),
    isTyped,
  };
}
