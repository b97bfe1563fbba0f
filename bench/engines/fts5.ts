import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { fold } from '../../src/engine/text/fold.ts';
import type { BenchQuery } from '../corpus/queries.ts';
import { timePass } from '../measure.ts';
import { type BenchEngine, HITS } from './engine.ts';

/** SQLite's full-text search, in a file as it would be used. It has no typo tolerance. */
export function createFts5(): BenchEngine {
  const folder = mkdtempSync(join(tmpdir(), 'skilldock-bench-'));
  const file = join(folder, 'fts5.db');
  const database = new Database(file);
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;');
  database.exec(
    "CREATE VIRTUAL TABLE objects USING fts5(title, keywords, description, names, id UNINDEXED, type UNINDEXED, tokenize = 'unicode61 remove_diacritics 2', prefix = '3 4')",
  );
  const insert = database.prepare('INSERT INTO objects VALUES (?, ?, ?, ?, ?, ?)');
  const select = database.prepare(
    'SELECT id FROM objects WHERE objects MATCH ? AND type = ? ORDER BY bm25(objects, 3, 2, 1, 1) LIMIT ?',
  );
  return {
    name: 'SQLite FTS5',
    kinds: ['any-term', 'all-terms', 'prefix'],
    add(batch) {
      database.exec('BEGIN');
      for (const { title, keywords, description, publishers, id, types } of batch) {
        insert.run(title, keywords.join(' '), description, publishers.join(' '), id, types[0]);
      }
      database.exec('COMMIT');
    },
    finish: () => database.exec("INSERT INTO objects(objects) VALUES ('optimize')"),
    ask: (queries) => timePass(queries, (query) => select.all(matchOf(query), query.type, HITS)),
    indexBytes: () => statSync(file).size,
    close() {
      database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function matchOf({ kind, keywords }: BenchQuery): string {
  const words = fold(keywords)
    .split(' ')
    .map((word) => `"${word}"`);
  return words.join(kind === 'all-terms' ? ' AND ' : ' OR ') + (kind === 'prefix' ? ' *' : '');
}
