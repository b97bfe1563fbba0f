import { z } from 'zod';
import { MAX_RETENTION_DAYS } from '#domain/feedback';
import type { FeedbackSettings } from '#domain/tenant';
import type { FeedbackState, TenantRecord } from '#ports/store/store';
import { makeFeedbackEmail } from '#services/people/feedback/given-feedback';
import type { AdminDeps } from '../deps.ts';
import {
  emailField,
  type FormState,
  fillForm,
  keepTyped,
  optionalField,
  submitChange,
  versionField,
  wholeNumberField,
} from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { countFilteredFeedback } from './feedback-filter.ts';

const DAY_MS = 86_400_000;
const PATH = '/tenants/:tenantId/feedback';

const sharedEmailChoices = [
  'nobody',
  'learners',
  'everyone',
] as const satisfies readonly FeedbackSettings['sharedEmailFor'][];

const feedbackSettingsForm = z
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

interface Removal {
  readonly days: number;
  readonly count: number;
}

/** Whose e-mail address is stored with feedback, and for how long feedback is. */
export const feedbackSettingsRoutes = [
  get(PATH, 'viewer', showFeedbackSettings),
  post(PATH, 'manager', saveFeedbackSettings),
];

function showSettingsForm(
  { publicUrl }: SignedInContext,
  tenant: TenantRecord,
  form: FormState,
  removal: Removal | null = null,
): PageReply {
  const limits = { choices: sharedEmailChoices, maxDays: MAX_RETENTION_DAYS };
  const model = { tenant, form, removal, hostEmail: makeFeedbackEmail(publicUrl), ...limits };
  return makePage('tenant-feedback', model, { status: removal === null ? 200 : 422 });
}

async function showFeedbackSettings(context: SignedInContext): Promise<Reply> {
  const tenant = await context.tenants.getTenant(context.param('tenantId'));
  return showSettingsForm(context, tenant, fillSettingsForm(tenant));
}

function saveFeedbackSettings(context: SignedInContext): Promise<Reply> {
  const { tenants, param, actor } = context;
  return submitChange(context, {
    schema: feedbackSettingsForm,
    load: () => tenants.getTenant(param('tenantId')),
    versionOf: ({ version }) => version,
    show: (tenant, form) => showSettingsForm(context, tenant, form),
    async save({ version, settings, confirmedDays }, tenant) {
      const removal = await findRemoval(context, tenant, settings.retentionDays);
      if (removal !== null && confirmedDays !== String(removal.days))
        return showSettingsForm(context, tenant, keepTyped(context.form), removal);
      await tenants.changeFeedbackSettings(actor, tenant.id, { version, settings });
      return makeRedirect(`/tenants/${tenant.id}/feedback`, 'feedback-settings-saved');
    },
  });
}

/** Null where nothing is removed that the saved settings would not remove. */
async function findRemoval(
  { clock, feedback }: AdminDeps,
  { id, feedback: saved }: TenantRecord,
  days: number | null,
): Promise<Removal | null> {
  if (days === null || (saved.retentionDays !== null && saved.retentionDays <= days)) return null;
  const received = { from: null, until: new Date(clock.now().getTime() - days * DAY_MS) };
  const count = (state: FeedbackState | null) => countFilteredFeedback(feedback, { scope: [id], state, received });
  const [all, waiting, parked] = await Promise.all([count(null), count('waiting'), count('parked')]);
  const removed = all - waiting - parked;
  return removed > 0 ? { days, count: removed } : null;
}

function fillSettingsForm({ feedback, version }: TenantRecord): FormState {
  const { sharedEmail, sharedEmailFor, retentionDays } = feedback;
  return fillForm({
    version: String(version),
    sharedEmailFor,
    sharedEmail: sharedEmail ?? '',
    retentionDays: retentionDays === null ? '' : String(retentionDays),
  });
}
