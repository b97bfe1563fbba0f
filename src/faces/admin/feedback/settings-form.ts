import { z } from 'zod';
import { MAX_RETENTION_DAYS } from '../../../domain/feedback.ts';
import type { FeedbackSettings } from '../../../domain/tenant.ts';
import type { TenantRecord } from '../../../ports/store/store.ts';
import { emailField, optionalField, versionField, wholeNumberField } from '../forms/fields.ts';
import { type FormState, formOf } from '../forms/forms.ts';

export const sharedEmailChoices = [
  'nobody',
  'learners',
  'everyone',
] as const satisfies readonly FeedbackSettings['sharedEmailFor'][];

export const feedbackSettingsForm = z
  .object({
    version: versionField,
    sharedEmailFor: z.enum(sharedEmailChoices, 'chooseOne'),
    sharedEmail: optionalField(emailField),
    retentionDays: optionalField(wholeNumberField(1, MAX_RETENTION_DAYS, 'retentionDays')),
    /** The days whose removals the person has seen. */
    confirmedDays: z.string().default(''),
  })
  .transform(({ version, confirmedDays, ...settings }) => ({
    version,
    confirmedDays,
    settings: settings satisfies FeedbackSettings,
  }));

export function formOfFeedbackSettings({ feedback, version }: TenantRecord): FormState {
  const { sharedEmail, sharedEmailFor, retentionDays } = feedback;
  return formOf({
    version: String(version),
    sharedEmailFor,
    sharedEmail: sharedEmail ?? '',
    retentionDays: retentionDays === null ? '' : String(retentionDays),
  });
}
