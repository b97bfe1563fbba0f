import { apiKeyQuotas, apiKeyScopes } from '../../../domain/tenant.ts';
import { AppError } from '../../../errors.ts';
import type { TenantRecord } from '../../../ports/store/store.ts';
import type { ShownApiKey } from '../../../services/api-keys.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { type FormState, readForm } from '../forms/forms.ts';
import { listModel, readListChoice } from '../lists/lists.ts';
import { type AdminRoute, page, type Reply, redirect, type SignedInContext } from '../route.ts';
import { findTenantNames, narrowScope, readTenantChoices } from '../tenants/tenant-choices.ts';
import { createTenantChooser, newPath } from '../tenants/tenant-lists.ts';
import { createKeyForm, firstCall, keyLists, newKeyForm } from './key-form.ts';

type KeyState = 'active' | 'expired' | 'revoked';

const DAY_MS = 86_400_000;

/** Making and revoking API keys of one tenant. */
export function tenantKeysRoutes({
  apiKeys,
  tenants,
  nonces,
  clock,
  publicUrl,
}: AdminFaceDeps): AdminRoute[] {
  function showForm(tenant: TenantRecord, form: FormState, status = 200): Reply {
    const today = clock.now().toISOString().slice(0, 10);
    const limits = { perSecond: apiKeyQuotas.perSecond.most, perDay: apiKeyQuotas.perDay.most };
    return page('key-new', { tenant, form, scopes: apiKeyScopes, today, limits }, { status });
  }

  async function create({ params, form, t, actor }: SignedInContext): Promise<Reply> {
    const tenant = await tenants.getTenant(params.tenantId!);
    const read = readForm(form, { schema: createKeyForm(clock.now()), lists: keyLists, t });
    if ('state' in read) return showForm(tenant, read.state, 422);
    const { once, lastDay, ...wanted } = read.data;
    if (once !== undefined && !(await isFirstTime(once)))
      return redirect(`/keys?tenant=${tenant.id}`, 'key-made-before');
    const scopes = apiKeyScopes.filter((scope) => wanted.scopes.includes(scope));
    const { key } = await apiKeys.createApiKey(actor, {
      ...wanted,
      scopes,
      tenantId: tenant.id,
      expiresAt: lastDay,
    });
    const call = firstCall(publicUrl, key, scopes);
    return page('key-made', { tenant, key, name: wanted.name, call, expiresAt: lastDay });
  }

  /** The answer with the key is to a POST, which browsers repeat when it is loaded anew. */
  function isFirstTime(once: string): Promise<boolean> {
    return nonces.addNonce(`key-form ${once}`, '', new Date(clock.now().getTime() + DAY_MS));
  }

  /** Errors: API_KEY_NOT_FOUND for a key of another tenant, too. */
  async function load({ params }: SignedInContext): Promise<{ tenant: TenantRecord; key: ShownApiKey }> {
    const tenant = await tenants.getTenant(params.tenantId!);
    const key = await apiKeys.findApiKey(params.keyId!);
    if (key !== null && key.tenantId === tenant.id) return { tenant, key };
    throw new AppError('API_KEY_NOT_FOUND', `${tenant.name} has no key with the id ${params.keyId}.`);
  }

  async function revoke(context: SignedInContext): Promise<Reply> {
    const { tenant, key } = await load(context);
    // Who presses twice wants the same as who presses once.
    if (key.revokedAt === null) await apiKeys.revokeApiKey(context.actor, key.id);
    return redirect(`/keys?tenant=${tenant.id}`, 'key-revoked');
  }

  const path = '/tenants/:tenantId/keys';
  return [
    {
      method: 'get',
      path: `${path}/new`,
      access: 'manager',
      handle: async ({ params }) => showForm(await tenants.getTenant(params.tenantId!), newKeyForm()),
    },
    { method: 'post', path, access: 'manager', handle: create },
    {
      method: 'get',
      path: `${path}/:keyId/revoke`,
      access: 'manager',
      async handle(context) {
        const { tenant, key } = await load(context);
        return page('key-revoke', { tenant, key: { ...key, state: stateOfKey(key, clock.now()) } });
      },
    },
    { method: 'post', path: `${path}/:keyId/revoke`, access: 'manager', handle: revoke },
  ];
}

/** Revoking lasts: a key that was revoked and has expired since is revoked. */
export function stateOfKey({ revokedAt, expiresAt }: ShownApiKey, now: Date): KeyState {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

/** The API keys of every tenant one sees, and the way to new ones. */
export function keysRoutes({ apiKeys, tenants, clock }: AdminFaceDeps): AdminRoute[] {
  async function list(context: SignedInContext): Promise<Reply> {
    const { signedIn } = context;
    const chosen = context.params.tenantId ?? context.query.get('tenant') ?? '';
    const query = new URLSearchParams(context.query);
    if (chosen !== '') query.set('tenant', chosen);
    const choice = readListChoice(query, ['createdAt', 'name', 'lastUsedAt'], true);
    const scope = narrowScope(signedIn.admin.tenants, chosen);
    if (chosen !== '') await tenants.getTenant(chosen);
    const [found, choices] = await Promise.all([
      apiKeys.listApiKeys({ ...choice, scope }),
      readTenantChoices(tenants, signedIn.admin.tenants),
    ]);
    const names = await findTenantNames(tenants, found.items);
    const keys = found.items.map((key) => ({
      ...key,
      state: stateOfKey(key, clock.now()),
      tenantName: names.get(key.tenantId) ?? key.tenantId,
    }));
    const list = listModel({ path: '/keys', query, choice }, found);
    return page('keys', { list, keys, chosen, choices, newKeyPath: newPath('keys', chosen, choices) });
  }

  return [
    { method: 'get', path: '/keys', access: 'viewer', handle: list },
    { method: 'get', path: '/tenants/:tenantId/keys', access: 'viewer', handle: list },
    {
      method: 'get',
      path: '/keys/new',
      access: 'manager',
      handle: createTenantChooser(tenants, 'keys', 'key-tenant'),
    },
  ];
}
