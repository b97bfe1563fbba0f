import type { ApiKeyRecord, ApiKeyRepository } from '../../src/ports/store.ts';

/** Keys in memory, with the same answers as a real store. */
export function createFakeApiKeys(): ApiKeyRepository {
  const records = new Map<string, ApiKeyRecord>();
  return {
    async addApiKey(record) {
      if (records.has(record.id)) throw new Error(`key ${record.id} exists`);
      records.set(record.id, record);
    },
    findApiKeyByHash: async (keyHash) => [...records.values()].find((r) => r.keyHash === keyHash) ?? null,
    listApiKeys: async () => [...records.values()],
    async revokeApiKey(id, revokedAt) {
      const record = records.get(id);
      if (record === undefined || record.revokedAt !== null) return false;
      records.set(id, { ...record, revokedAt });
      return true;
    },
  };
}
