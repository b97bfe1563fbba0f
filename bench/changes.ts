import type { ObjectIndex } from '../src/engine/objects/object-index.ts';
import type { ObjectDocument } from '../src/engine/objects/types.ts';
import { generateDocuments, readAgain } from './corpus/generate.ts';
import { type BenchQuery, type Kind, kinds } from './corpus/queries.ts';
import type { SourceTexts } from './corpus/source-texts.ts';
import { askSkilldock } from './engines/skilldock.ts';
import { digits, quantile, timeOf } from './measure.ts';
import { required } from './required.ts';

/** Documents of one change: half of them new, half in the place of one before. */
const CHANGED = 1_000;
/** So many a call, in every other round, as a host does, which answers in between. A part of
 *  `CHANGED`. */
const FEW = 50;
/** Searches between two changes. */
const BETWEEN = 40;

interface Corpus {
  readonly texts: SourceTexts;
  /** Of documents that are in the index. */
  readonly ids: readonly string[];
  readonly queries: Record<Kind, readonly BenchQuery[]>;
}

/** Change a filled index, round by round, and search it all the time. Prints milliseconds: of a
 *  call, until what it did is found, and of the searches in between. */
export function reportChanges(index: ObjectIndex, rounds: number, { texts, ids, queries }: Corpus): void {
  const asked = kinds.flatMap((kind) => queries[kind].slice(0, BETWEEN / kinds.length));
  const fresh = generateDocuments(rounds * CHANGED, texts);
  const times = new Map<string, number[]>();
  const keep = (what: string, time: number) => times.set(what, [...(times.get(what) ?? []), time]);
  const change = (name: string, word: string, calls: readonly (() => unknown)[], isThere: boolean) => {
    let total = 0;
    let all = 0;
    for (const call of calls) {
      const called = timeOf(call);
      const first = timeOf(() => {
        total = askSkilldock(index, { kind: 'all-terms', keywords: word }).total;
      });
      keep(name, called);
      keep(`${name}: first search`, first);
      all += called + first;
    }
    if (total > 0 !== isThere) throw new Error(`${word} should ${isThere ? '' : 'not '}be found after ${name}.`);
    keep(`${name}: all of it`, all);
    for (const query of asked)
      keep(
        `${name}: searches after`,
        timeOf(() => askSkilldock(index, query)),
      );
  };
  for (const query of asked) askSkilldock(index, query);
  for (const query of asked)
    keep(
      'searches before',
      timeOf(() => askSkilldock(index, query)),
    );
  for (let round = 0; round < rounds; round++) {
    const word = `changed${round}`;
    const made = Array.from({ length: CHANGED }, (_, i): ObjectDocument => {
      const document = required(fresh.next().value, 'document');
      const known = required(ids[(round * CHANGED + i) % ids.length], 'id');
      return {
        ...document,
        id: i % 2 === 0 ? `new/${round}/${i}` : known,
        title: i === 0 ? `${document.title} ${word}` : document.title,
      };
    });
    const documents = readAgain(made);
    const atOnce = round % 2 === 0 ? CHANGED : FEW;
    const puts = Array.from(
      { length: CHANGED / atOnce },
      (_, i) => () => index.put(documents.slice(i * atOnce, (i + 1) * atOnce)),
    );
    change(`put, ${atOnce} a call`, word, puts, true);
    const removed = documents.filter((_, i) => i % 2 === 0).map(({ id }) => id);
    change('remove', word, [() => index.remove(removed)], false);
  }
  const rows = Array.from(times, ([what, own]) => ({
    what,
    p50: digits(quantile(own, 0.5)),
    p99: digits(quantile(own, 0.99)),
    longest: digits(quantile(own, 1)),
  }));
  console.log(`${rounds} times ${CHANGED} objects put and half of them removed, milliseconds`);
  console.table(rows);
  console.log(JSON.stringify({ ...index.stats(), rows }));
}
