import type { TenantRecord } from '../../../ports/store.ts';
import type { SecretHint, SecretName, Secrets } from '../../../services/secrets.ts';
import { destinationOf } from '../../../services/upstreams/upstream-keys.ts';

/** What may be shown of a tenant's saved keys; null where none is saved for this upstream. */
export interface KeyHints {
  readonly apiKey: SecretHint | null;
  readonly marketplaceKey: SecretHint | null;
}

export async function readKeyHints(
  secrets: Secrets,
  { id, upstream }: Pick<TenantRecord, 'id' | 'upstream'>,
): Promise<KeyHints> {
  const find = (name: SecretName) => secrets.findHint(id, name, destinationOf(upstream, name));
  const [apiKey, marketplaceKey] = await Promise.all([find('upstream-api-key'), find('marketplace-key')]);
  return { apiKey, marketplaceKey };
}
