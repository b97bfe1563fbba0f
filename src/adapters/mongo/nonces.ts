import type { Connection } from 'mongoose';
import type { NonceRepository } from '../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from './collection.ts';
import { EXPIRED_KEPT_SECONDS } from './expiry.ts';
import { unlessTaken } from './failures.ts';
import { instant, text } from './fields.ts';
import { beginningWith } from './list-page.ts';

interface Nonce {
  readonly id: string;
  readonly data: string;
  readonly expiresAt: Date;
}

export const nonces = defineCollection<Nonce>('nonces', {
  fields: { data: text, expiresAt: instant },
  indexes: [{ key: { expiresAt: 1 }, expireAfterSeconds: EXPIRED_KEPT_SECONDS }],
});

export function createNonceRepository(connection: Connection): NonceRepository {
  const model = openCollection(connection, nonces);
  return {
    addNonce: (nonce, data, expiresAt) =>
      unlessTaken(async () => {
        await model.insertOne(nonces.toDocument({ id: nonce, data, expiresAt }));
        return true;
      }),
    async findNonce(nonce, now) {
      const running = { _id: nonce, expiresAt: { $gt: now } };
      const found = await model.findOne(running).lean<Document | null>();
      return nonces.toRecordOrNull(found)?.data ?? null;
    },
    async consumeNonce(nonce, now) {
      const running = { _id: nonce, expiresAt: { $gt: now } };
      const taken = await model.findOneAndDelete(running).lean<Document | null>();
      return nonces.toRecordOrNull(taken)?.data ?? null;
    },
    // One that has not expired is not found, and the server refuses to add a second one.
    claimNonce: (nonce, { now, expiresAt }) =>
      unlessTaken(async () => {
        const expired = { _id: nonce, expiresAt: { $lte: now } };
        const claimed = nonces.toDocument({ id: nonce, data: '', expiresAt });
        await model.replaceOne(expired, claimed, { upsert: true });
        return true;
      }),
    removeNonces: async (prefix) => (await model.deleteMany(beginningWith('_id', prefix))).deletedCount,
  };
}
