import { upstreamKinds } from '#domain/tenant';
import { AppError } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import type { AdminDeps } from '../deps.ts';
import { describeError } from '../forms/error-words.ts';
import { type FormState, keepTyped, readForm, refuseFormChange } from '../forms/forms.ts';
import { type AdminRoute, makePage, makeRedirect, type Reply, type SignedInContext } from '../route.ts';
import { dropUpstreamFormKeys, fillUpstreamForm, upstreamForm } from './upstream-form.ts';
import { type CallView, describeCalls, hasLostKey, type KeyHints, readKeyHints } from './upstream-keys.ts';

interface Loaded {
  readonly tenant: TenantRecord;
  readonly hints: KeyHints;
  readonly saving: PrivateSaving | null;
}

interface Shown extends Loaded {
  readonly form: FormState;
  /** The result of a test of the connection. */
  readonly calls?: readonly CallView[];
}

const path = '/tenants/:tenantId/upstream';

/** The settings of a tenant's upstream, with its keys, and a test of the connection. */
export const upstreamRoutes: AdminRoute[] = [
  { method: 'get', path, access: 'viewer', handle: showUpstream },
  { method: 'post', path, access: 'manager', handle: saveUpstream },
  // Reloading the answer by its address, or changing its language, shows the form.
  { method: 'get', path: `${path}/test`, access: 'viewer', handle: showUpstream },
  { method: 'post', path: `${path}/test`, access: 'manager', handle: testUpstream },
];

async function loadUpstream({ param, signedIn }: SignedInContext, deps: AdminDeps): Promise<Loaded> {
  const { tenants, upstreams } = deps;
  const tenant = await tenants.getTenant(param('tenantId'));
  const saving = deps.opensPrivateToOwners ? findPrivateSaving(tenant, isOwner(signedIn)) : null;
  return { tenant, hints: await readKeyHints(upstreams, tenant), saving };
}

async function showUpstream(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const loaded = await loadUpstream(context, deps);
  return show(context, { ...loaded, form: fillUpstreamForm(loaded.tenant) });
}

async function saveUpstream(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { languages, tenants, upstreams } = deps;
  const { form, t, actor, signedIn } = context;
  const loaded = await loadUpstream(context, deps);
  const read = readForm(form, { schema: upstreamForm, t });
  if ('state' in read) return show(context, { ...loaded, form: read.state }, 422);
  const { id } = loaded.tenant;
  try {
    const change = { ...read.data, isByOwner: isOwner(signedIn) };
    const hints = await readKeyHints(upstreams, await tenants.changeUpstream(actor, id, change));
    const isLost = hasLostKey(read.data, { before: loaded.hints, after: hints });
    return makeRedirect(`/tenants/${id}/upstream`, isLost ? 'upstream-saved-key-removed' : 'upstream-saved');
  } catch (error) {
    const now = await loadUpstream(context, deps);
    const state = refuseFormChange(error, { form, t, languages, now: now.tenant });
    return show(context, { ...now, form: state }, 422);
  }
}

async function testUpstream(context: SignedInContext, deps: AdminDeps): Promise<Reply> {
  const { languages, upstreams } = deps;
  const { form, t, signedIn } = context;
  const loaded = await loadUpstream(context, deps);
  const read = readForm(form, { schema: upstreamForm, t });
  if ('state' in read) return show(context, { ...loaded, form: read.state }, 422);
  const { id } = loaded.tenant;
  try {
    const { upstream, apiKey, marketplaceKey } = read.data;
    const keys = { ...(apiKey && { apiKey }), ...(marketplaceKey && { marketplaceKey }) };
    const calls = await upstreams.testDraft(id, { upstream, isByOwner: isOwner(signedIn), ...keys });
    const hints = await readKeyHints(upstreams, { id, upstream });
    const views = describeCalls(calls, { draft: read.data, hints });
    return show(context, { ...loaded, form: keepTyped(form), calls: views });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'SECRET_UNREADABLE') throw error;
    const problems = { form: describeError(error, t, languages) };
    return show(context, { ...loaded, form: { ...keepTyped(form), problems } }, 422);
  }
}

const isOwner = ({ admin }: SignedInContext['signedIn']) => admin.role === 'owner';

/** Describes how saving affects a private address: an owner permits it, a manager's change revokes
 *  the permission. */
type PrivateSaving = 'opens' | 'closes';

function findPrivateSaving({ upstream }: TenantRecord, isByOwner: boolean): PrivateSaving | null {
  if (upstream.kind === 'local' || isByOwner === (upstream.isEnteredByOwner === true)) return null;
  return isByOwner ? 'opens' : 'closes';
}

/** Shows the whole page or, for the browser code, only the result of the test. */
function show({ form: sent }: SignedInContext, { form, ...rest }: Shown, status = 200): Reply {
  const isTyped = {
    apiKey: Boolean(sent.get('apiKey')),
    marketplaceKey: Boolean(sent.get('marketplaceKey')),
  };
  const model = { ...rest, form: dropUpstreamFormKeys(form), isTyped, kinds: upstreamKinds };
  return sent.has('fragment')
    ? makePage('partials/upstream-test', model)
    : makePage('tenant-upstream', model, { status });
}
