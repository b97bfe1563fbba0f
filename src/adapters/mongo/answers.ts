import type { Connection } from 'mongoose';
import type { AnswerRepository, SharedAnswer } from '../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from './collection.ts';
import { quick } from './connection.ts';
import { unlessTaken } from './failures.ts';
import { instant, text } from './fields.ts';

interface KeptAnswer extends SharedAnswer {
  readonly id: string;
}

/** Large, and may be lost at any time: not kept any longer than they last, even if a host's clock is behind. */
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
      // Refused where another host keeps one at the same moment, which is as good.
      await unlessTaken(async () => {
        const { acknowledged } = await model.replaceOne({ _id: key }, replacement, {
          ...quick,
          upsert: true,
        });
        return acknowledged;
      });
    },
  };
}
