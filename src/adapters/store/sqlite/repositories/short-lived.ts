import type Database from 'libsql';
import type {
  AnswerRepository,
  NonceRepository,
  RateCounterRepository,
  SharedAnswer,
  WindowCount,
} from '../../../../ports/store/store.ts';
import { instant, text } from '../columns.ts';
import { type Tidy, writeUnlessTaken } from '../database.ts';
import { defineTable } from '../table.ts';

interface KeptAnswer extends SharedAnswer {
  readonly id: string;
}

const answers = defineTable<KeptAnswer>('answers', {
  columns: { id: text(), text: text(), answeredAt: instant, expiresAt: instant },
});

interface WindowRow {
  readonly points: number;
  readonly expires_at: number;
}

export function createRateCounterRepository(database: Database.Database, tidy: Tidy): RateCounterRepository {
  const add = database.prepare(
    `INSERT INTO rate_windows (name, points, expires_at) VALUES (:name, :points, :expiresAt)
     ON CONFLICT (name) DO UPDATE SET
       points = excluded.points + iif(expires_at > :now, points, 0),
       expires_at = iif(expires_at > :now, expires_at, excluded.expires_at)
     RETURNING points, expires_at`,
  );
  const find = database.prepare(
    'SELECT points, expires_at FROM rate_windows WHERE name = ? AND expires_at > ?',
  );
  const remove = database.prepare('DELETE FROM rate_windows WHERE name = ?');
  return {
    async addRatePoints(name, points, { now, expiresAt }) {
      tidy(now);
      const times = { now: now.getTime(), expiresAt: expiresAt.getTime() };
      return toCount(add.get({ name, points, ...times }) as WindowRow);
    },
    async findRateWindow(name, now) {
      const row = find.get(name, now.getTime()) as WindowRow | undefined;
      return row === undefined ? null : toCount(row);
    },
    removeRateWindow: async (name) => remove.run(name).changes === 1,
  };
}

function toCount(row: WindowRow): WindowCount {
  return { points: row.points, expiresAt: new Date(row.expires_at) };
}

/** Sorts after any text that people or hosts make. */
const LAST_CHARACTERS = '\u{10FFFF}'.repeat(2);

export function createNonceRepository(database: Database.Database, tidy: Tidy): NonceRepository {
  const insert = database.prepare('INSERT INTO nonces (nonce, data, expires_at) VALUES (?, ?, ?)');
  const find = database.prepare('SELECT data FROM nonces WHERE nonce = ? AND expires_at > ?');
  const consume = database.prepare('DELETE FROM nonces WHERE nonce = ? AND expires_at > ? RETURNING data');
  const claim = database.prepare(
    `INSERT INTO nonces (nonce, data, expires_at) VALUES (:nonce, :by, :expiresAt)
     ON CONFLICT (nonce) DO UPDATE SET data = :by, expires_at = excluded.expires_at
       WHERE expires_at <= :now OR (data = :by AND :by <> '')`,
  );
  // The first condition finds the beginning in the index, the last one the end; the other compares the exact characters.
  const remove = database.prepare(
    'DELETE FROM nonces WHERE nonce >= :prefix AND instr(nonce, :prefix) = 1 AND nonce <= :prefix || :last',
  );
  return {
    async addNonce(nonce, data, expiresAt) {
      tidy();
      return writeUnlessTaken(() => insert.run(nonce, data, expiresAt.getTime()).changes === 1);
    },
    async findNonce(nonce, now) {
      tidy(now);
      return toData(find.get(nonce, now.getTime()));
    },
    async consumeNonce(nonce, now) {
      tidy(now);
      return toData(consume.get(nonce, now.getTime()));
    },
    async claimNonce(nonce, { now, expiresAt, by = '' }) {
      tidy(now);
      const times = { now: now.getTime(), expiresAt: expiresAt.getTime() };
      return claim.run({ nonce, by, ...times }).changes === 1;
    },
    removeNonces: async (prefix) => remove.run({ prefix, last: LAST_CHARACTERS }).changes,
  };
}

function toData(row: unknown): string | null {
  return (row as { readonly data: string } | undefined)?.data ?? null;
}

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
