import { z } from 'zod';
import { MAX_RETENTION_DAYS } from '#domain/feedback';
import type { FeedbackSettings } from '#domain/tenant';
import type { FeedbackState, TenantRecord } from '#ports/store/store';
import { makeFeedbackEmail } from '#services/people/feedback/given-feedback';
import type { AdminDeps } from '../deps.ts';
import { emailField, optionalField, versionField, wholeNumberField } from '../forms/fields.ts';
import { type FormState, fillForm, keepTyped, readForm, refuseFormChange } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
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

/** The feedback that a shorter retention removes at once. */
interface Removal {
  readonly days: number;
  readonly count: number;
}

/** Whose e-mail address is kept with feedback of a tenant's people, and for how long feedback is
 *  kept. */
export const feedbackSettingsRoutes: AdminRoute[] = [
  { method: 'get', path: PATH, access: 'viewer', handle: showFeedbackSettings },
  { method: 'post', path: PATH, access: 'manager', handle: saveFeedbackSettings },
];

/** @param removal what the person has to agree to first */
function showSettingsForm(
  deps: AdminDeps,
  tenant: TenantRecord,
  form: FormState,
  removal: Removal | null = null,
): Reply {
  const isRefused = removal !== null || Object.keys(form.problems).length > 0;
  const limits = { choices: sharedEmailChoices, maxDays: MAX_RETENTION_DAYS };
  const model = { tenant, form, removal, hostEmail: makeFeedbackEmail(deps.publicUrl), ...limits };
  return makePage('tenant-feedback', model, { status: isRefused ? 422 : 200 });
}

async function showFeedbackSettings({ param }: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { tenants } = deps;
  const tenant = await tenants.getTenant(param('tenantId'));
  return showSettingsForm(deps, tenant, fillSettingsForm(tenant));
}

async function saveFeedbackSettings(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { languages, tenants } = deps;
  const { param, form, t, actor } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const read = readForm(form, { schema: feedbackSettingsForm, t });
  if ('state' in read) return showSettingsForm(deps, tenant, read.state);
  const { version, settings, confirmedDays } = read.data;
  const removal = await findRemoval(deps, tenant, settings.retentionDays);
  if (removal !== null && confirmedDays !== String(removal.days))
    return showSettingsForm(deps, tenant, keepTyped(form), removal);
  try {
    await tenants.changeFeedbackSettings(actor, tenant.id, { version, settings });
    return makeRedirect(`/tenants/${tenant.id}/feedback`, 'feedback-settings-saved');
  } catch (error) {
    const now = await tenants.getTenant(tenant.id);
    return showSettingsForm(deps, now, refuseFormChange(error, { form, t, languages, now }));
  }
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
