import { apiKeyQuotas, apiKeyScopes } from '#domain/tenant';
import { AppError } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import type { ShownApiKey } from '#services/tenants/api-keys';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, readForm } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { tenantListRoutes } from '../tenants/tenant-lists.ts';
import { createKeyForm, fillNewKeyForm, keyLists, writeKeyCall } from './key-form.ts';

const DAY_MS = 86_400_000;

/** The API keys of all tenants that one sees; making and revoking keys of one tenant. */
export function keysRoutes(deps: AdminFaceDeps): AdminRoute[] {
  const { apiKeys, tenants, nonces, clock, publicUrl } = deps;

  function showForm(tenant: TenantRecord, form: FormState, status = 200): Reply {
    const today = clock.now().toISOString().slice(0, 10);
    const limits = { perSecond: apiKeyQuotas.perSecond.most, perDay: apiKeyQuotas.perDay.most };
    return makePage('key-new', { tenant, form, scopes: apiKeyScopes, today, limits }, { status });
  }

  async function create({ param, form, t, actor }: SignedInContext): Promise<Reply> {
    const tenant = await tenants.getTenant(param('tenantId'));
    const read = readForm(form, { schema: createKeyForm(clock.now()), lists: keyLists, t });
    if ('state' in read) return showForm(tenant, read.state, 422);
    const { once, lastDay: expiresAt, ...wanted } = read.data;
    if (once !== undefined && !(await isFirstTime(once)))
      return makeRedirect(`/keys?tenant=${tenant.id}`, 'key-made-before');
    const scopes = apiKeyScopes.filter((scope) => wanted.scopes.includes(scope));
    const made = await apiKeys.createApiKey(actor, { ...wanted, scopes, tenantId: tenant.id, expiresAt });
    const call = writeKeyCall(publicUrl, made.key, scopes);
    return makePage('key-made', { tenant, key: made.key, name: wanted.name, call, expiresAt });
  }

  /** The key is shown in the answer to a POST, which browsers repeat on reload. */
  function isFirstTime(once: string): Promise<boolean> {
    return nonces.addNonce(`key-form ${once}`, '', new Date(clock.now().getTime() + DAY_MS));
  }

  /** Errors: API_KEY_NOT_FOUND for a key of another tenant, too. */
  async function load({ param }: SignedInContext): Promise<{ tenant: TenantRecord; key: ShownApiKey }> {
    const tenant = await tenants.getTenant(param('tenantId'));
    const id = param('keyId');
    const key = await apiKeys.findApiKey(id);
    if (key !== null && key.tenantId === tenant.id) return { tenant, key };
    throw new AppError('API_KEY_NOT_FOUND', `${tenant.name} has no key with the id ${id}.`);
  }

  async function askRevoke(context: SignedInContext): Promise<Reply> {
    const { tenant, key } = await load(context);
    return makePage('key-revoke', { tenant, key: withState(key) });
  }

  async function revoke(context: SignedInContext): Promise<Reply> {
    const { tenant, key } = await load(context);
    // Pressing twice is the same as pressing once.
    if (key.revokedAt === null) await apiKeys.revokeApiKey(context.actor, key.id);
    return makeRedirect(`/keys?tenant=${tenant.id}`, 'key-revoked');
  }

  const withState = <K extends ShownApiKey>(key: K) => ({ ...key, state: readKeyState(key, clock.now()) });
  const path = '/tenants/:tenantId/keys';
  return [
    ...tenantListRoutes(tenants, {
      part: 'keys',
      sorts: ['createdAt', 'name', 'lastUsedAt'],
      descending: true,
      find: (wanted) => apiKeys.listApiKeys(wanted),
      show: (keys, list) => makePage('keys', { ...list, keys: keys.map(withState) }),
    }),
    {
      method: 'get',
      path: `${path}/new`,
      access: 'manager',
      handle: async ({ param }) => showForm(await tenants.getTenant(param('tenantId')), fillNewKeyForm()),
    },
    { method: 'post', path, access: 'manager', handle: create },
    { method: 'get', path: `${path}/:keyId/revoke`, access: 'manager', handle: askRevoke },
    { method: 'post', path: `${path}/:keyId/revoke`, access: 'manager', handle: revoke },
  ];
}

/** A key that was revoked and has expired since counts as revoked. */
function readKeyState({ revokedAt, expiresAt }: ShownApiKey, now: Date): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}
