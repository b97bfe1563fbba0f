import { upstreamKinds } from '#domain/tenant';
import { AppError } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import { describeError, type FormState, keepTyped, readForm, submitChange } from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';
import {
  type CallView,
  describeCalls,
  dropUpstreamFormKeys,
  fillUpstreamForm,
  hasLostKey,
  type KeyHints,
  readKeyHints,
  upstreamForm,
} from './upstream-form.ts';

interface Loaded {
  readonly tenant: TenantRecord;
  readonly hints: KeyHints;
  readonly saving: PrivateSaving | null;
}

interface Shown extends Loaded {
  readonly form: FormState;
  readonly calls?: readonly CallView[];
}

const path = '/tenants/:tenantId/upstream';

export const upstreamRoutes = [
  get(path, 'viewer', showUpstream),
  post(path, 'manager', saveUpstream),
  // Reloading the answer by its address, or changing its language, shows the form.
  get(`${path}/test`, 'viewer', showUpstream),
  post(`${path}/test`, 'manager', testUpstream),
];

async function loadUpstream(context: SignedInContext): Promise<Loaded> {
  const { param, signedIn, tenants, upstreams } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const saving = context.opensPrivateToOwners ? findPrivateSaving(tenant, isOwner(signedIn)) : null;
  return { tenant, hints: await readKeyHints(upstreams, tenant), saving };
}

async function showUpstream(context: SignedInContext): Promise<Reply> {
  const loaded = await loadUpstream(context);
  return show(context, { ...loaded, form: fillUpstreamForm(loaded.tenant) });
}

function saveUpstream(context: SignedInContext): Promise<Reply> {
  const { tenants, upstreams, actor, signedIn } = context;
  return submitChange(context, {
    schema: upstreamForm,
    load: () => loadUpstream(context),
    versionOf: ({ tenant }) => tenant.version,
    show: (loaded, form) => show(context, { ...loaded, form }),
    async save(draft, { tenant: { id }, hints: before }) {
      const changed = await tenants.changeUpstream(actor, id, { ...draft, isByOwner: isOwner(signedIn) });
      const isLost = hasLostKey(draft, { before, after: await readKeyHints(upstreams, changed) });
      return makeRedirect(`/tenants/${id}/upstream`, isLost ? 'upstream-saved-key-removed' : 'upstream-saved');
    },
  });
}

async function testUpstream(context: SignedInContext): Promise<Reply> {
  const { upstreams, form, signedIn } = context;
  const loaded = await loadUpstream(context);
  const read = readForm(context, upstreamForm);
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
    const problems = { form: describeError(error, context) };
    return show(context, { ...loaded, form: { ...keepTyped(form), problems } }, 422);
  }
}

const isOwner = ({ admin }: SignedInContext['signedIn']) => admin.role === 'owner';

/** Effect on a private address: an owner permits it, a manager's change revokes that. */
type PrivateSaving = 'opens' | 'closes';

function findPrivateSaving({ upstream }: TenantRecord, isByOwner: boolean): PrivateSaving | null {
  if (upstream.kind === 'local' || isByOwner === (upstream.isEnteredByOwner === true)) return null;
  return isByOwner ? 'opens' : 'closes';
}

/** Shows the whole page or, for the browser code, only the result of the test. */
function show({ form: sent }: SignedInContext, { form, ...rest }: Shown, status = 200): PageReply {
  const isTyped = {
    apiKey: Boolean(sent.get('apiKey')),
    marketplaceKey: Boolean(sent.get('marketplaceKey')),
  };
  const model = { ...rest, form: dropUpstreamFormKeys(form), isTyped, kinds: upstreamKinds };
  return sent.has('fragment')
    ? makePage('partials/upstream-test', model)
    : makePage('tenant-upstream', model, { status });
}
