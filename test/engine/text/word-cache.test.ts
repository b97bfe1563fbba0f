import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { cacheByWord } from '../../../src/engine/text/stem.ts';
import { toTerm } from '../../../src/engine/text/term.ts';
import { tokenize } from '../../../src/engine/text/tokenize.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Megabytes that stay after the work. */
function measureKept(work: () => void): number {
  const inUse = () => {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const before = inUse();
  work();
  return inUse() - before;
}

test('does not keep the text of a cached word in memory', () => {
  const kept = measureKept(() => {
    for (let n = 0; n < 500; n++) {
      const words = tokenize(`${'lorem ipsum dolor '.repeat(1_000)}incomprehensible${n}ness ends it`);
      toTerm(words.at(-3)!, 'en');
    }
  });
  // The texts are 9 MB.
  expect(kept).toBeLessThan(4);
});

// Over two seconds of CPU: the cache is filled with more words than it may hold.
test('limits the cached words of all languages together', () => {
  const kept = measureKept(() => {
    for (let lang = 0; lang < 100; lang++) for (let n = 0; n < 2_000; n++) toTerm(`word${n}`, `language ${lang}`);
  });
  expect(kept).toBeLessThan(15);
});

test('keeps the words in use, and forgets those not among the last 20,000', () => {
  const derived: string[] = [];
  const read = cacheByWord((word) => {
    derived.push(word);
    return word;
  });
  for (let n = 0; n < 60_000; n++) {
    read(`word${n}`, 'en');
    read('usual', 'en');
  }
  expect(derived.filter((word) => word === 'usual')).toHaveLength(1);
  derived.length = 0;
  for (let n = 0; n < 40_000; n++) read(`word${n}`, 'en');
  expect(derived).toHaveLength(40_000);
});

test('gives a word the same term after the cache was cleared', () => {
  const before = toTerm('understandings', 'en');
  for (let n = 0; n < 60_000; n++) toTerm(`other${n}`, 'en');
  expect(toTerm('understandings', 'en')).toBe(before);
});
