import type { SecretHint, Secrets } from '../../../services/secrets.ts';

/** What may be shown of a tenant's saved keys; null where none is saved. */
export interface KeyHints {
  readonly apiKey: SecretHint | null;
  readonly marketplaceKey: SecretHint | null;
}

export async function readKeyHints(secrets: Secrets, tenantId: string): Promise<KeyHints> {
  const [apiKey, marketplaceKey] = await Promise.all([
    secrets.findHint(tenantId, 'upstream-api-key'),
    secrets.findHint(tenantId, 'marketplace-key'),
  ]);
  return { apiKey, marketplaceKey };
}
