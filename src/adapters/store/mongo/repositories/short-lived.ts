import type { Connection, Model } from 'mongoose';
import { AppError } from '../../../../errors.ts';
import type {
  AnswerRepository,
  NonceRepository,
  RateCounterRepository,
  SharedAnswer,
  WindowCount,
} from '../../../../ports/store/store.ts';
import { type Document, defineCollection, EXPIRED_KEPT_SECONDS, openCollection } from '../collection.ts';
import { quick } from '../connection.ts';
import { isTakenFailure, writeUnlessTaken } from '../failures.ts';
import { instant, integer, text } from '../fields.ts';
import { matchListBeginning } from '../list-page.ts';

interface RateWindow extends WindowCount {
  readonly id: string;
}

export const rateWindows = defineCollection<RateWindow>('rateWindows', {
  fields: { points: integer, expiresAt: instant },
  indexes: [{ key: { expiresAt: 1 }, expireAfterSeconds: EXPIRED_KEPT_SECONDS }],
});

/** One would do: if several meet an expired window, one renews it and the others then add to it. */
const TRIES = 5;

interface Addition extends WindowCount {
  readonly window: string;
  readonly now: Date;
}

export function createRateCounterRepository(connection: Connection): RateCounterRepository {
  const model = openCollection(connection, rateWindows);
  return {
    async addRatePoints(window, points, times) {
      const addition = { window, points, ...times };
      for (let tried = 0; tried < TRIES; tried += 1) {
        const count = (await addToRunning(model, addition)) ?? (await renewExpired(model, addition));
        if (count !== null) return count;
      }
      throw new AppError('STORE_UNAVAILABLE', `The rate window ${window} could not be counted. Try again.`);
    },
    async findRateWindow(window, now) {
      const found = await model.findOne({ _id: window, expiresAt: { $gt: now } }).lean<Document | null>();
      return found === null ? null : toCount(found);
    },
    removeRateWindow: async (window) => (await model.deleteOne({ _id: window })).deletedCount === 1,
  };
}

/** Adds to the window if it is running, begins it if there is none. Null when it is there but has expired, as then the insertion
 *  is refused. Asks for the value before the change: as the value after it, mongo-java-server, which the tests run on, may return
 *  what others have added since. */
async function addToRunning(
  model: Model<Document>,
  { window, points, now, expiresAt }: Addition,
): Promise<WindowCount | null> {
  const running = { _id: window, expiresAt: { $gt: now } };
  const change = { $inc: { points }, $setOnInsert: { expiresAt } };
  const options = { ...quick, upsert: true, returnDocument: 'before' } as const;
  try {
    const found = await model.findOneAndUpdate(running, change, options).lean<Document | null>();
    if (found === null) return { points, expiresAt };
    const before = toCount(found);
    return { ...before, points: before.points + points };
  } catch (error) {
    if (isTakenFailure(error)) return null;
    throw error;
  }
}

/** Null when another host has renewed it just before. */
async function renewExpired(
  model: Model<Document>,
  { window, points, now, expiresAt }: Addition,
): Promise<WindowCount | null> {
  const expired = { _id: window, expiresAt: { $lte: now } };
  const { matchedCount } = await model.updateOne(expired, { $set: { points, expiresAt } }, quick);
  return matchedCount === 1 ? { points, expiresAt } : null;
}

function toCount(document: Document): WindowCount {
  const { points, expiresAt } = rateWindows.toRecord(document);
  return { points, expiresAt };
}

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
      writeUnlessTaken(async () => {
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
    claimNonce: (nonce, { now, expiresAt, by = '' }) =>
      writeUnlessTaken(async () => {
        const expired = { expiresAt: { $lte: now } };
        const free = { _id: nonce, ...(by === '' ? expired : { $or: [expired, { data: by }] }) };
        const claimed = nonces.toDocument({ id: nonce, data: by, expiresAt });
        await model.replaceOne(free, claimed, { upsert: true });
        return true;
      }),
    removeNonces: async (prefix) => (await model.deleteMany(matchListBeginning('_id', prefix))).deletedCount,
  };
}

interface KeptAnswer extends SharedAnswer {
  readonly id: string;
}

/** Large, and may be lost at any time: not kept after they expire, even if a host's clock is behind. */
export const answers = defineCollection<KeptAnswer>('answers', {
  fields: { text, answeredAt: instant, expiresAt: instant },
  indexes: [{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
});

export function createAnswerRepository(connection: Connection): AnswerRepository {
  const model = openCollection(connection, answers);
  return {
    async findAnswer(key, now) {
      const running = { _id: key, expiresAt: { $gt: now } };
      const found = answers.toRecordOrNull(await model.findOne(running).lean<Document | null>());
      if (found === null) return null;
      const { id: _, ...answer } = found;
      return answer;
    },
    async keepAnswer(key, answer) {
      const replacement = answers.toDocument({ id: key, ...answer });
      // Refused where another host saves one at the same moment, which is just as good.
      await writeUnlessTaken(async () => {
        const { acknowledged } = await model.replaceOne({ _id: key }, replacement, {
          ...quick,
          upsert: true,
        });
        return acknowledged;
      });
    },
  };
}
