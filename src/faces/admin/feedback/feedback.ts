import { z } from 'zod';
import type { TenantScope } from '#domain/admin';
import { MAX_RETENTION_DAYS } from '#domain/feedback';
import type { Translate } from '#faces/words/i18n';
import type { FeedbackFilter, FeedbackRecord, FeedbackState, TenantRecord } from '#ports/store/store';
import type { FeedbackService } from '#services/people/feedback/feedback';
import { makeFeedbackEmail } from '#services/people/feedback/given-feedback';
import type { Tenants } from '#services/tenants/tenants';
import { type CsvColumn, makeCsvDownload, toCsvColumns } from '../../downloads.ts';
import type { AdminDeps } from '../deps.ts';
import * as forms from '../forms/forms.ts';
import { createListModel, describeListFilter, readListChoice, readListFilter } from '../lists/lists.ts';
import type { PageReply, Reply, SignedInContext } from '../route.ts';
import { get, makePage, makeRedirect, post, readNextAdminPage } from '../route.ts';
import { addTenantNames, narrowToChosenTenant, readTenantChoices, withChosenTenant } from '../tenants/tenant-lists.ts';

const FEEDBACK = '/feedback';
const SETTINGS_PATH = '/tenants/:tenantId/feedback';
const feedbackStates = ['waiting', 'parked', 'delivered', 'refused'] as const satisfies readonly FeedbackState[];
const filterNames = ['q', 'tenant', 'provider', 'state', 'from', 'until'] as const;

/** The feedback on learning objects with its delivery, and the settings of tenants for it. */
export const feedbackRoutes = [
  get(FEEDBACK, 'viewer', showFeedbackList),
  post(`${FEEDBACK}/export`, 'manager', exportFeedback),
  post(`${FEEDBACK}/retry-parked`, 'manager', retryParkedFeedback),
  post(`/tenants/:tenantId${FEEDBACK}/:feedbackId/retry`, 'manager', retryListedFeedback),
  get(SETTINGS_PATH, 'viewer', showFeedbackSettings),
  post(SETTINGS_PATH, 'manager', saveFeedbackSettings),
];

async function showFeedbackList(context: SignedInContext): Promise<Reply> {
  const { query, signedIn, feedback, tenants } = context;
  const scope = signedIn.admin.tenants;
  const { filter, formValues } = readFeedbackFilter(query, scope);
  const sorted = readListChoice(query, ['receivedAt', 'url'], true);
  const [result, parkedCount, providers, choices] = await Promise.all([
    feedback.listFeedback({ ...sorted, ...filter }),
    // Parked feedback of the shown tenants is counted whatever else is chosen.
    countFilteredFeedback(feedback, { scope: filter.scope, state: 'parked' }),
    feedback.listFeedbackProviders(scope),
    readTenantChoices(tenants, scope),
  ]);
  const items = await addTenantNames(tenants, result.items);
  return makePage('feedback', {
    list: createListModel({ path: FEEDBACK, query, choice: sorted }, result),
    items: items.map((record) => ({ ...record, nextAttempt: describeNextAttempt(record, context) })),
    parkedCount,
    filter: formValues,
    isFiltered: Object.values(formValues).some(Boolean),
    providers: addChosenChoice(providers, formValues.provider),
    tenants: withChosenTenant(choices, formValues.tenant),
    states: feedbackStates,
    filterNames,
  });
}

/** Reads `q`, `tenant`, `provider`, `state`, `from` and `until`; ignores unusable values. */
function readFeedbackFilter(query: URLSearchParams, scope: TenantScope) {
  const { text, tenant, tenants, period, from, until } = readListFilter(query, scope);
  const state = feedbackStates.find((name) => name === text('state')) ?? null;
  const formValues = { q: text('q'), tenant, provider: text('provider'), state: state ?? '', from, until };
  const filter = {
    scope: tenants,
    state,
    provider: formValues.provider || null,
    received: period,
    search: formValues.q,
  };
  return { filter, formValues };
}

/** Counts the feedback of a scope that matches the filter; an absent part matches all. */
export async function countFilteredFeedback(
  feedback: Pick<FeedbackService, 'listFeedback'>,
  filter: Pick<FeedbackFilter, 'scope'> & Partial<FeedbackFilter>,
): Promise<number> {
  const anyFeedback = { state: null, provider: null, received: { from: null, until: null }, search: '' };
  const list = { sort: 'receivedAt', descending: true, page: 0, pageSize: 1 } as const;
  return (await feedback.listFeedback({ ...anyFeedback, ...filter, ...list })).total;
}

async function retryListedFeedback({ param, actor, form, feedback }: SignedInContext): Promise<Reply> {
  const { state, leasedUntil } = await feedback.retryFeedback(actor, [param('tenantId')], param('feedbackId'));
  const outcome = leasedUntil === null ? state : 'busy';
  return makeRedirect(writeListAddress(form.get('back')), `feedback-${outcome}`);
}

async function retryParkedFeedback({ actor, form, signedIn, feedback }: SignedInContext): Promise<Reply> {
  const scope = narrowToChosenTenant(signedIn.admin.tenants, form.get('tenant'));
  const count = await feedback.retryAllParked(actor, scope);
  return makeRedirect(writeListAddress(form.get('back')), 'feedback-unparked', count);
}

/** Adds the current choice if the list does not have it. */
const addChosenChoice = (choices: readonly string[], chosen: string): readonly string[] =>
  chosen === '' || choices.includes(chosen) ? choices : [...choices, chosen];

/** Writes the address of the list as it was, below `/admin`, without an earlier notice. */
function writeListAddress(back: string | null): string {
  const query = new URLSearchParams(readNextAdminPage(back).split('?')[1]);
  for (const name of ['notice', 'count']) query.delete(name);
  return query.size === 0 ? FEEDBACK : `${FEEDBACK}?${query}`;
}

const MINUTE_MS = 60_000;
const units = [
  { unit: 'minute', ms: MINUTE_MS, upTo: 60 },
  { unit: 'hour', ms: 60 * MINUTE_MS, upTo: 48 },
  { unit: 'day', ms: 24 * 60 * MINUTE_MS, upTo: Number.POSITIVE_INFINITY },
] as const;

/** Describes when waiting feedback is tried next, as "in 12 minutes"; null if it does not wait. */
function describeNextAttempt({ state, dueAt }: FeedbackRecord, { clock, locale, t }: SignedInContext): string | null {
  if (state !== 'waiting') return null;
  const leftMs = dueAt.getTime() - clock.now().getTime();
  if (leftMs < MINUTE_MS) return t('feedback.nextAttemptSoon');
  const { unit, ms } = units.find(({ ms, upTo }) => leftMs < ms * upTo) ?? units[2];
  const when = new Intl.RelativeTimeFormat(locale).format(Math.ceil(leftMs / ms), unit);
  return t('feedback.nextAttempt', { when });
}

type Row = FeedbackRecord & { readonly tenantName: string };

/** Exports the feedback that matches the filter. The audit trail of each tenant records it. */
async function exportFeedback(context: SignedInContext): Promise<Reply> {
  const { form, signedIn, actor, t, feedback, audit, tenants, clock } = context;
  const { filter, formValues } = readFeedbackFilter(form, signedIn.admin.tenants);
  const details = describeListFilter(filterNames, formValues);
  for (const tenantId of filter.scope ?? [null]) {
    await audit.record(actor, { action: 'feedback.exported', tenantId, target: 'feedback', details });
  }
  const name = `feedback-${clock.now().toISOString().slice(0, 10)}.csv`;
  return makeCsvDownload(name, listFeedbackColumns(t), nameFeedbackTenants(feedback.readFeedback(filter), tenants));
}

async function* nameFeedbackTenants(records: AsyncIterable<FeedbackRecord>, tenants: Tenants): AsyncIterable<Row> {
  const names = new Map<string, string>();
  for await (const record of records) {
    const { tenantId } = record;
    const existing = names.get(tenantId);
    const tenantName = existing ?? (await tenants.findTenant(tenantId))?.name ?? tenantId;
    names.set(tenantId, tenantName);
    yield { ...record, tenantName };
  }
}

function listFeedbackColumns(t: Translate): CsvColumn<Row>[] {
  return toCsvColumns((name) => t(`feedback.columns.${name}`), {
    receivedAt: ({ receivedAt }) => receivedAt,
    tenantId: ({ tenantId }) => tenantId,
    tenant: ({ tenantName }) => tenantName,
    url: ({ url }) => url,
    provider: ({ provider }) => provider,
    comment: ({ comment }) => comment,
    email: ({ email }) => email,
    source: ({ source }) => source,
    state: ({ state }) => t(`feedback.states.${state}`),
    attempts: ({ attempts }) => attempts,
    lastError: ({ lastError }) => lastError,
    requestId: ({ requestId }) => requestId,
  });
}

const DAY_MS = 86_400_000;

const sharedEmailChoices = ['nobody', 'learners', 'everyone'] as const;

const feedbackSettingsForm = z
  .object({
    version: forms.versionField,
    sharedEmailFor: z.enum(sharedEmailChoices, 'chooseOne'),
    sharedEmail: forms.optionalField(forms.emailField),
    retentionDays: forms.optionalField(forms.wholeNumberField(1, MAX_RETENTION_DAYS, 'retentionDays')),
    /** The retention days for which the person has seen how much will be removed. */
    confirmedDays: z.string().default(''),
  })
  .transform(({ version, confirmedDays, ...settings }) => ({ version, confirmedDays, settings }));

function showFeedbackSettingsForm(
  { publicUrl }: SignedInContext,
  tenant: TenantRecord,
  form: forms.FormState,
  removal: { readonly days: number; readonly count: number } | null = null,
): PageReply {
  const limits = { choices: sharedEmailChoices, maxDays: MAX_RETENTION_DAYS };
  const model = { tenant, form, removal, hostEmail: makeFeedbackEmail(publicUrl), ...limits };
  return makePage('tenant-feedback', model, { status: removal === null ? 200 : 422 });
}

async function showFeedbackSettings(context: SignedInContext): Promise<Reply> {
  const tenant = await context.tenants.getTenant(context.param('tenantId'));
  const { sharedEmail, sharedEmailFor, retentionDays } = tenant.feedback;
  const values = {
    version: String(tenant.version),
    sharedEmailFor,
    sharedEmail: sharedEmail ?? '',
    retentionDays: retentionDays === null ? '' : String(retentionDays),
  };
  return showFeedbackSettingsForm(context, tenant, forms.fillForm(values));
}

function saveFeedbackSettings(context: SignedInContext): Promise<Reply> {
  const { tenants, param, actor } = context;
  return forms.submitFormChange(context, {
    schema: feedbackSettingsForm,
    load: () => tenants.getTenant(param('tenantId')),
    versionOf: ({ version }) => version,
    show: (tenant, form) => showFeedbackSettingsForm(context, tenant, form),
    async save({ version, settings, confirmedDays }, tenant) {
      const removal = await findRemoval(context, tenant, settings.retentionDays);
      if (removal !== null && confirmedDays !== String(removal.days))
        return showFeedbackSettingsForm(context, tenant, forms.keepTypedFormValues(context.form), removal);
      await tenants.changeFeedbackSettings(actor, tenant.id, { version, settings });
      return makeRedirect(`/tenants/${tenant.id}/feedback`, 'feedback-settings-saved');
    },
  });
}

/** Counts the feedback that fewer retention days would remove; null if there is none. */
async function findRemoval({ clock, feedback }: AdminDeps, { id, feedback: saved }: TenantRecord, days: number | null) {
  if (days === null || (saved.retentionDays !== null && saved.retentionDays <= days)) return null;
  const received = { from: null, until: new Date(clock.now().getTime() - days * DAY_MS) };
  const countOf = (state: FeedbackState | null) => countFilteredFeedback(feedback, { scope: [id], state, received });
  const [total, waiting, parked] = await Promise.all([countOf(null), countOf('waiting'), countOf('parked')]);
  const removed = total - waiting - parked;
  return removed > 0 ? { days, count: removed } : null;
}
