import { z } from 'zod';
import type { SlackSettings } from '../../../services/slack-credentials.ts';
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

/** Secrets are never sent back. Whoever typed some is told to type them again. */
export function withoutSecrets(form: FormState): FormState & { readonly isTyped: Record<string, boolean> } {
  const { clientSecret: _, signingSecret: __, ...values } = form.values;
  const isTyped = Object.fromEntries(secretNames.map((name) => [name, Boolean(form.values[name])]));
  return {
    values,
    problems: form.problems,
    all: (field) => (field in isTyped ? [] : form.all(field)),
    isTyped,
  };
}
