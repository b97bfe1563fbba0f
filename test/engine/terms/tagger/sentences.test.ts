import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { starterTerms } from '../starter-terms.ts';

interface Sentence {
  readonly lang: string;
  readonly kind: 'need' | 'idle';
  readonly text: string;
  /** The tags that somebody found right. */
  readonly right: readonly string[];
}

const sentences = readFileSync(join(import.meta.dirname, 'sentences.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const sentence: Sentence = JSON.parse(line);
    const { tags } = starterTerms.tag({ text: sentence.text, lang: sentence.lang, max: 10 });
    return { ...sentence, tags: tags.map(({ label }) => label) };
  });
const needs = sentences.filter(({ kind }) => kind === 'need');

test('55 of 60 sentences with a need have a right tag', () => {
  const without = needs.filter(({ tags, right }) => !tags.some((tag) => right.includes(tag)));
  expect(without.length, JSON.stringify(without)).toBeLessThanOrEqual(5);
});

test('nine of ten of their tags are right', () => {
  const tags = needs.flatMap(({ tags, right }) => tags.map((tag) => right.includes(tag)));
  expect(tags.filter(Boolean).length / tags.length).toBeGreaterThan(0.9);
});

test('one of 60 sentences of idle talk has a tag at most', () => {
  const tagged = sentences.filter(({ kind, tags }) => kind === 'idle' && tags.length > 0);
  expect(tagged.length, JSON.stringify(tagged)).toBeLessThanOrEqual(1);
});
