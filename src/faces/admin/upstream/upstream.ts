import { z } from 'zod';
import { type Upstream, upstreamKinds } from '#domain/tenant';
import { hasErrorCode } from '#errors';
import type { TenantRecord } from '#ports/store/store';
import type { UpstreamCall } from '#ports/upstream';
import type { SecretHint, UpstreamKeyName } from '#services/host/secrets';
import type { TenantUpstreams } from '#services/searching/upstreams';
import type { UpstreamChange } from '#services/tenants/upstream-changes';
import * as forms from '../forms/forms.ts';
import { get, makePage, makeRedirect, type PageReply, post, type Reply, type SignedInContext } from '../route.ts';

interface LoadedUpstream {
  readonly tenant: TenantRecord;
  readonly hints: KeyHints;
  /** The effect of saving on a private address. */
  readonly saving: PrivateAddressEffect | null;
}

type UpstreamModel = LoadedUpstream & { readonly form: forms.FormState; readonly calls?: readonly CallView[] };
const PATH = '/tenants/:tenantId/upstream';

export const upstreamRoutes = [
  get(PATH, 'viewer', showUpstream),
  post(PATH, 'manager', saveUpstream),
  // Reloading the answer by its address, or changing its language, shows the form.
  get(`${PATH}/test`, 'viewer', showUpstream),
  post(`${PATH}/test`, 'manager', testTypedUpstream),
];

async function loadUpstream(context: SignedInContext): Promise<LoadedUpstream> {
  const { param, signedIn, tenants, upstreams } = context;
  const tenant = await tenants.getTenant(param('tenantId'));
  const saving = context.opensPrivateToOwners ? findPrivateAddressEffect(tenant, isUpstreamOwner(signedIn)) : null;
  return { tenant, hints: await readUpstreamKeyHints(upstreams, tenant), saving };
}

async function showUpstream(context: SignedInContext): Promise<Reply> {
  const loaded = await loadUpstream(context);
  const { upstream, version } = loaded.tenant;
  const form = forms.fillForm({
    version: String(version),
    kind: upstream.kind,
    url: upstream.kind === 'local' ? '' : upstream.url,
    marketplaceUrl: upstream.kind === 'gateway' ? upstream.marketplaceUrl : '',
  });
  return replyWithUpstream(context, { ...loaded, form });
}

function saveUpstream(context: SignedInContext): Promise<Reply> {
  const { tenants, upstreams, actor, signedIn } = context;
  return forms.submitFormChange(context, {
    schema: upstreamForm,
    load: () => loadUpstream(context),
    versionOf: ({ tenant }) => tenant.version,
    show: (loaded, form) => replyWithUpstream(context, { ...loaded, form }),
    async save(draft, { tenant: { id }, hints: before }) {
      const changed = await tenants.changeUpstream(actor, id, { ...draft, isByOwner: isUpstreamOwner(signedIn) });
      const isLost = hasLostUpstreamKey(draft, { before, after: await readUpstreamKeyHints(upstreams, changed) });
      return makeRedirect(`/tenants/${id}/upstream`, isLost ? 'upstream-saved-key-removed' : 'upstream-saved');
    },
  });
}

async function testTypedUpstream(context: SignedInContext): Promise<Reply> {
  const { upstreams, form, signedIn } = context;
  const loaded = await loadUpstream(context);
  const read = forms.readForm(context, upstreamForm);
  if ('state' in read) return replyWithUpstream(context, { ...loaded, form: read.state }, 422);
  const { id } = loaded.tenant;
  try {
    const { upstream, apiKey, marketplaceKey } = read.data;
    const keys = { ...(apiKey && { apiKey }), ...(marketplaceKey && { marketplaceKey }) };
    const calls = await upstreams.testDraft(id, { upstream, isByOwner: isUpstreamOwner(signedIn), ...keys });
    const hints = await readUpstreamKeyHints(upstreams, { id, upstream });
    const views = describeUpstreamCalls(calls, { draft: read.data, hints });
    return replyWithUpstream(context, { ...loaded, form: forms.keepTypedFormValues(form), calls: views });
  } catch (error) {
    if (!hasErrorCode(error, 'SECRET_UNREADABLE')) throw error;
    const problems = { form: forms.describeFormError(error, context) };
    return replyWithUpstream(context, { ...loaded, form: { ...forms.keepTypedFormValues(form), problems } }, 422);
  }
}

const isUpstreamOwner = ({ admin }: SignedInContext['signedIn']) => admin.role === 'owner';

/** The effect of a change on a private address: an owner permits it, a manager revokes that. */
type PrivateAddressEffect = 'opens' | 'closes';

function findPrivateAddressEffect({ upstream }: TenantRecord, isByOwner: boolean): PrivateAddressEffect | null {
  if (upstream.kind === 'local' || isByOwner === (upstream.isEnteredByOwner === true)) return null;
  return isByOwner ? 'opens' : 'closes';
}

/** Shows the whole page or, for the browser code, only the result of the test. */
function replyWithUpstream(
  { form: sent }: SignedInContext,
  { form, ...upstream }: UpstreamModel,
  status = 200,
): PageReply {
  const isTyped = { apiKey: Boolean(sent.get('apiKey')), marketplaceKey: Boolean(sent.get('marketplaceKey')) };
  const model = {
    ...upstream,
    form: forms.dropFormFields(form, ['apiKey', 'marketplaceKey']),
    isTyped,
    kinds: upstreamKinds,
  };
  return sent.has('fragment')
    ? makePage('partials/upstream-test', model)
    : makePage('tenant-upstream', model, { status });
}

const MAX_KEY = 1_000;

/** A key; an empty one keeps the saved key. People and browsers paste blanks around it. */
const keyField = z
  .string()
  .default('')
  .transform((key) => key.trim())
  .refine((key) => key.length <= MAX_KEY, 'keyTooLong')
  .refine((key) => /^[\x21-\x7e]*$/.test(key), 'keyCharacters');

const fields = z.object({
  version: forms.versionField,
  kind: z.enum(upstreamKinds, 'chooseKind'),
  url: z.string().default(''),
  marketplaceUrl: z.string().default(''),
  apiKey: keyField,
  marketplaceKey: keyField,
  removeApiKey: forms.boxField,
  removeMarketplaceKey: forms.boxField,
});

/** Reads the fields of the chosen kind: browsers without JavaScript send those of all kinds. */
const upstreamForm = fields.transform((form, context): UpstreamChange => {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  const addressOf = (name: 'url' | 'marketplaceUrl'): string => {
    const read = readUpstreamAddress(form[name], name === 'marketplaceUrl');
    if ('address' in read) return read.address;
    refuse(name, read.problem);
    return '';
  };
  const keyOf = (name: 'apiKey' | 'marketplaceKey', isRemoved: boolean) => {
    if (form[name] !== '' && isRemoved) refuse(name, 'keyAndRemove');
    if (form[name] !== '') return { [name]: form[name] };
    return isRemoved ? { [name]: null } : {};
  };
  const { version, kind } = form;
  if (kind === 'local') return { version, upstream: { kind } };
  const url = addressOf('url');
  const upstream: Upstream =
    kind === 'direct' ? { kind, url } : { kind, url, marketplaceUrl: addressOf('marketplaceUrl') };
  return {
    version,
    upstream,
    ...keyOf('apiKey', form.removeApiKey),
    ...(kind === 'gateway' && keyOf('marketplaceKey', form.removeMarketplaceKey)),
  };
});

const MAX_ADDRESS = 500;
/** Paths that people copy along from the documentation of the service. */
const SPECIFIED_PATHS = /\/(?:learningobject|domcomp)(?:\/.*)?$/;

/** Reads an address, or its problem by key. @param isGateway whether any path is allowed */
export function readUpstreamAddress(
  text: string,
  isGateway: boolean,
): { readonly address: string } | { readonly problem: string } {
  const typed = text.trim();
  if (typed === '') return { problem: 'addressMissing' };
  if (typed.length > MAX_ADDRESS) return { problem: 'addressTooLong' };
  const url = URL.canParse(typed) ? new URL(typed) : null;
  if (url === null || !/^https?:\/\//i.test(typed)) return { problem: 'addressNotWeb' };
  if (url.username !== '' || url.password !== '') return { problem: 'addressPassword' };
  if (/[?#]/.test(typed)) return { problem: 'addressQuery' };
  if (!isGateway && SPECIFIED_PATHS.test(url.pathname)) return { problem: 'addressPath' };
  return { address: url.origin + url.pathname.replace(/\/+$/, '') };
}

/** The characters that may be shown of saved keys; null if none is saved for this upstream. */
type KeyHints = { readonly apiKey: SecretHint | null; readonly marketplaceKey: SecretHint | null };

export async function readUpstreamKeyHints(
  upstreams: TenantUpstreams,
  { id, upstream }: Pick<TenantRecord, 'id' | 'upstream'>,
): Promise<KeyHints> {
  const keys = await upstreams.findKeys(id, upstream);
  const hintOf = (keyName: UpstreamKeyName) => keys.find(({ name }) => name === keyName)?.hint ?? null;
  return { apiKey: hintOf('upstream-api-key'), marketplaceKey: hintOf('marketplace-key') };
}

interface CallView extends UpstreamCall {
  /** The list of providers needs no key. */
  readonly keyUsed: 'not-needed' | 'typed' | 'saved' | 'none';
  /** Whether the key is that of the marketplace gateway. */
  readonly isAtGateway: boolean;
}

/** @param hints of the keys that are saved for the addresses of the draft */
function describeUpstreamCalls(
  calls: readonly UpstreamCall[],
  { draft, hints }: { draft: UpstreamChange; hints: KeyHints },
): CallView[] {
  return calls.map((call) => {
    const isAtGateway = draft.upstream.kind === 'gateway' && call.operation === 'search-provider';
    const name = isAtGateway ? 'marketplaceKey' : 'apiKey';
    if (call.operation === 'provider') return { ...call, isAtGateway, keyUsed: 'not-needed' };
    const savedKey = hints[name] === null ? 'none' : 'saved';
    return { ...call, isAtGateway, keyUsed: draft[name] ? 'typed' : savedKey };
  });
}

/** Whether a saved key was lost because its address changed. */
function hasLostUpstreamKey(
  change: UpstreamChange,
  { before, after }: { readonly before: KeyHints; readonly after: KeyHints },
): boolean {
  const names = ['apiKey', 'marketplaceKey'] as const;
  if (change.upstream.kind === 'local') return false;
  return names.some((name) => before[name] !== null && after[name] === null && change[name] !== null);
}
