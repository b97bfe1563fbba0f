import type { TenantRecord } from '../../../ports/store/store.ts';
import type { SecretHint, UpstreamKeyName } from '../../../services/secrets.ts';
import type { TenantUpstreams } from '../../../services/upstreams/upstreams.ts';

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
