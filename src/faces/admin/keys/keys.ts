import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type ApiKeyScope, apiKeyQuotas, apiKeyScopes } from '#domain/tenant';
import { parseEndOfDay } from '#domain/text';
import { AppError } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import { type ApiKeyView, isApiKeyEnding } from '#services/tenants/api-keys';
import type { AdminDeps } from '../deps.ts';
import { type FormState, fillForm, nameField, submitForm, wholeNumberField } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import { makeTenantListRoutes } from '../tenants/tenant-lists.ts';

const DAY_MS = 86_400_000;
const PATH = '/tenants/:tenantId/keys';

/** The list of API keys, and the creation and revocation of keys of one tenant. */
export const keysRoutes = [
  ...makeTenantListRoutes({
    part: 'keys',
    sorts: ['createdAt', 'name', 'lastUsedAt'],
    descending: true,
    find: (wanted, { apiKeys }) => apiKeys.listApiKeys(wanted),
    show: (keys, list, context) => makePage('keys', { ...list, keys: keys.map((key) => addKeyState(context, key)) }),
  }),
  get(`${PATH}/new`, 'manager', async (context) =>
    showNewKey(context, await context.tenants.getTenant(context.param('tenantId'))),
  ),
  post(PATH, 'manager', createKeyFromForm),
  get(`${PATH}/:keyId/revoke`, 'manager', async (context) => {
    const { tenant, key } = await loadShownKey(context);
    return makePage('key-revoke', { tenant, key: addKeyState(context, key), once: randomUUID() });
  }),
  post(`${PATH}/:keyId/revoke`, 'manager', revokeShownKey),
  post(`${PATH}/:keyId/replace`, 'manager', replaceKey),
];

function showNewKey({ clock }: AdminDeps, tenant: TenantRecord, form = fillNewKeyForm()): PageReply {
  const today = clock.now().toISOString().slice(0, 10);
  const limits = { perSecond: apiKeyQuotas.perSecond.most, perDay: apiKeyQuotas.perDay.most };
  return makePage('key-new', { tenant, form, scopes: apiKeyScopes, today, limits });
}

async function createKeyFromForm(context: SignedInContext): Promise<Reply> {
  const { param, actor, apiKeys, clock, nonces, publicUrl, tenants } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  return submitForm(context, {
    schema: createKeyForm(clock.now()),
    lists: ['scopes'],
    show: (form) => showNewKey(context, tenant, form),
    async save({ once, lastDay: expiresAt, ...wanted }) {
      if (once !== undefined && !(await isFirstKeyForm(context, once)))
        return makeRedirect(`/keys?tenant=${tenant.id}`, 'key-made-before');
      const scopes = apiKeyScopes.filter((scope) => wanted.scopes.includes(scope));
      const request = { ...wanted, scopes, tenantId: tenant.id, expiresAt };
      const { key } = await apiKeys.createApiKey(actor, request).catch(async (error: unknown) => {
        // Without a key, the same form may be sent again.
        if (once !== undefined) await nonces.consumeNonce(toKeyFormNonce(once), clock.now());
        throw error;
      });
      const exampleCall = writeKeyCall(publicUrl, key, scopes);
      return makePage('key-made', { tenant, key, name: wanted.name, call: exampleCall, expiresAt });
    },
  });
}

const toKeyFormNonce = (once: string): string => `key-form ${once}`;

/** Notes that a form was sent. @returns false if it was sent before, as by a reload */
const isFirstKeyForm = ({ clock, nonces }: AdminDeps, once: string): Promise<boolean> =>
  nonces.addNonce(toKeyFormNonce(once), '', new Date(clock.now().getTime() + DAY_MS));

/** Errors: TENANT_UNKNOWN; API_KEY_NOT_FOUND, also for a key of another tenant. */
async function loadShownKey({ param, apiKeys, tenants }: SignedInContext) {
  const tenant = await tenants.getTenant(param('tenantId'));
  const id = param('keyId');
  const key = await apiKeys.findApiKey(id);
  if (key !== null && key.tenantId === tenant.id) return { tenant, key };
  throw new AppError('API_KEY_NOT_FOUND', `${tenant.name} has no key with the id ${id}.`);
}

async function replaceKey(context: SignedInContext): Promise<Reply> {
  const { actor, apiKeys, form, publicUrl } = context;
  const { tenant, key: former } = await loadShownKey(context);
  if (!(await isFirstKeyForm(context, form.get('once')?.slice(0, 60) ?? '')))
    return makeRedirect(`/keys?tenant=${tenant.id}`, 'key-made-before');
  const { key, expiresAt } = await apiKeys.replaceApiKey(actor, former.id);
  const exampleCall = writeKeyCall(publicUrl, key, former.scopes);
  return makePage('key-made', { tenant, key, name: former.name, call: exampleCall, expiresAt });
}

async function revokeShownKey(context: SignedInContext): Promise<Reply> {
  const { apiKeys } = context;
  const { tenant, key } = await loadShownKey(context);
  // Pressing twice is the same as pressing once.
  if (key.revokedAt === null) await apiKeys.revokeApiKey(context.actor, key.id);
  return makeRedirect(`/keys?tenant=${tenant.id}`, 'key-revoked');
}

const addKeyState = <K extends ApiKeyView>({ clock }: AdminDeps, key: K) => ({
  ...key,
  state: findKeyState(key, clock.now()),
});

function findKeyState(key: ApiKeyView, now: Date): 'revoked' | 'expired' | 'ending' | 'active' {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && key.expiresAt <= now) return 'expired';
  return isApiKeyEnding(key, now) ? 'ending' : 'active';
}

const { perSecond, perDay } = apiKeyQuotas;

/** @param now decides whether the last day is over */
function createKeyForm(now: Date) {
  return z.object({
    name: nameField,
    scopes: z.array(z.enum(apiKeyScopes, 'scopesMissing')).min(1, 'scopesMissing'),
    perSecond: wholeNumberField(1, perSecond.most, 'perSecond'),
    perDay: wholeNumberField(1, perDay.most, 'perDay'),
    lastDay: z
      .string()
      .default('')
      .transform((text, context) => {
        if (text.trim() === '') return null;
        const end = parseEndOfDay(text.trim());
        if (end === null) context.addIssue({ code: 'custom', message: 'notADay' });
        else if (end <= now) context.addIssue({ code: 'custom', message: 'dayPast' });
        return end;
      }),
    once: z.string().max(60).optional(),
  });
}

/** Fills the form. `once` identifies it, so that sending it twice creates one key. */
function fillNewKeyForm(): FormState {
  return fillForm({
    name: '',
    scopes: apiKeyScopes,
    perSecond: String(perSecond.usual),
    perDay: String(perDay.usual),
    lastDay: '',
    once: randomUUID(),
  });
}

/** Writes a first call to copy, for the most useful scope. It is not ready if people must fill in
 *  values first, as feedback needs the id and the object of a search.
 *  @param publicUrl as `config.ts` allows it: without anything that a shell would interpret */
function writeKeyCall(publicUrl: string, key: string, scopes: readonly ApiKeyScope[]) {
  const writeExampleCall = (path: string) => `curl '${publicUrl}${path}' -H 'x-api-key: ${key}'`;
  if (scopes.includes('learning-objects'))
    return { command: writeExampleCall('/learningobject/v2/search?keywords=python&lang=en'), isReady: true };
  if (scopes.includes('competency'))
    return { command: writeExampleCall('/domcomp/v1/similar?keywords=data%20analyst&lang=en'), isReady: true };
  const body = JSON.stringify({
    url: 'ADDRESS OF THE OBJECT',
    request_id: 'ID OF ITS SEARCH',
    email: 'ada@example.org',
    source: 'https://example.org/',
  });
  const command = `${writeExampleCall('/learningobject/v2/feedback')} -H 'content-type: application/json' -d '${body}'`;
  return { command, isReady: false };
}
