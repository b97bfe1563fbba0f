import type { TenantRecord } from '#ports/store/store';
import type { UpstreamCall } from '#ports/upstream';
import type { SecretHint, UpstreamKeyName } from '#services/host/secrets';
import type { TenantUpstreams } from '#services/searching/upstreams';
import type { UpstreamChange } from '#services/tenants/upstream-changes';

/** What may be shown of a tenant's saved keys; null where none is saved for this upstream. */
export interface KeyHints {
  readonly apiKey: SecretHint | null;
  readonly marketplaceKey: SecretHint | null;
}

export async function readKeyHints(
  upstreams: TenantUpstreams,
  { id, upstream }: Pick<TenantRecord, 'id' | 'upstream'>,
): Promise<KeyHints> {
  const keys = await upstreams.findKeys(id, upstream);
  const hintOf = (wanted: UpstreamKeyName) => keys.find(({ name }) => name === wanted)?.hint ?? null;
  return { apiKey: hintOf('upstream-api-key'), marketplaceKey: hintOf('marketplace-key') };
}

/** The key that a call was made with: the list of providers needs none. */
type KeyUsed = 'not-needed' | 'typed' | 'saved' | 'none';

export interface CallView extends UpstreamCall {
  readonly keyUsed: KeyUsed;
  /** Whether the key is that of the marketplace gateway. */
  readonly isAtGateway: boolean;
}

/** What a test found, for the page.
 *  @param hints of the keys that are saved for the addresses of the draft */
export function describeCalls(
  calls: readonly UpstreamCall[],
  { draft, hints }: { draft: UpstreamChange; hints: KeyHints },
): CallView[] {
  return calls.map((call) => {
    const isAtGateway = draft.upstream.kind === 'gateway' && call.operation === 'search-provider';
    const name = isAtGateway ? 'marketplaceKey' : 'apiKey';
    const keyUsed = draft[name] ? 'typed' : hints[name] !== null ? 'saved' : 'none';
    return { ...call, isAtGateway, keyUsed: call.operation === 'provider' ? 'not-needed' : keyUsed };
  });
}

/** Whether a saved key was lost because its address changed. */
export function hasLostKey(
  change: UpstreamChange,
  { before, after }: { readonly before: KeyHints; readonly after: KeyHints },
): boolean {
  const names = ['apiKey', 'marketplaceKey'] as const;
  if (change.upstream.kind === 'local') return false;
  return names.some((name) => before[name] !== null && after[name] === null && change[name] !== null);
}
