import type Database from 'libsql';
import type { AnswerRepository, SharedAnswer } from '../../ports/store/store.ts';
import { instant, text } from './columns.ts';
import { defineTable } from './table.ts';
import type { Tidy } from './tidy.ts';

interface KeptAnswer extends SharedAnswer {
  readonly id: string;
}

const answers = defineTable<KeptAnswer>('answers', {
  columns: { id: text(), text: text(), answeredAt: instant, expiresAt: instant },
});

export function createAnswerRepository(database: Database.Database, tidy: Tidy): AnswerRepository {
  const find = database.prepare(answers.select('WHERE id = ? AND expires_at > ?'));
  const put = database.prepare(answers.upsert);
  return {
    async findAnswer(key, now) {
      tidy(now);
      const found = answers.toRecordOrNull(find.get(key, now.getTime()));
      if (found === null) return null;
      const { id: _, ...answer } = found;
      return answer;
    },
    async keepAnswer(key, answer) {
      put.run(answers.toValues({ id: key, ...answer }));
    },
  };
}
