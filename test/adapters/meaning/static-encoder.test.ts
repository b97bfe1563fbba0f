import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { meaningDir, openEncoder, readEncoderFingerprint } from '../../../src/adapters/meaning/static-encoder.ts';

const encoder = openEncoder();
const { dimensions } = encoder;

function cosine(one: string, other: string): number {
  const [a, b] = [encoder.encode(one), encoder.encode(other)];
  return a.reduce((sum, value, k) => sum + value * b[k]!, 0);
}

test('matches the hash of the manifest', () => {
  const words = readFileSync(join(meaningDir, 'words.bin'));
  expect(createHash('sha256').update(words).digest('hex')).toBe(readEncoderFingerprint());
  const manifest = JSON.parse(readFileSync(join(meaningDir, 'manifest.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({ format: 1, dimensions, langs: encoder.langs });
  expect(dimensions % 8).toBe(0);
});

test.each([
  ['learn how to weld', 'soudage'],
  ['taking pictures with a camera', 'photography'],
  ['cuisine', 'cooking'],
  ['speak in front of many people', 'public speaking'],
  ['tableur', 'spreadsheet'],
])('%s is nearer to %s than to what it has nothing to do with', (one, other) => {
  const unlike = ['a walk on the moon', 'law of inheritance', 'élevage de moutons'];
  expect(cosine(one, other)).toBeGreaterThan(0.35);
  for (const text of unlike) expect(cosine(one, other)).toBeGreaterThan(cosine(one, text) + 0.2);
});

describe('a text', () => {
  test.each(['welding', 'Œuvre d’art à l’école', 'C++ & c#', 'zzqwxplk', '日本語', 'a'])(
    '%s has a vector of length 1, the same each time',
    (text) => {
      const vector = encoder.encode(text);
      expect(vector).toHaveLength(dimensions);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(encoder.encode(text)).toEqual(vector);
    },
  );

  test.each(['', ' ', '…', '🙂'])('without words (%j) has none', (text) => {
    expect(Math.hypot(...encoder.encode(text))).toBe(0);
  });

  test('is encoded without regard to capitals, accents and order', () => {
    expect(cosine('L’ÉCOLE du cœur', 'l’ecole du coeur')).toBeCloseTo(1, 5);
    expect(cosine('dog bites man', 'man bites dog')).toBeCloseTo(1, 5);
  });

  test('is encoded with corrections, except for words of the table', () => {
    const corrections = new Map([
      ['weldign', 'welding'],
      ['symbols', 'cymbals'],
    ]);
    expect(encoder.encode('Weldign symbols', corrections)).toEqual(encoder.encode('welding symbols'));
  });

  test('with an inflected or misspelt word stays near, by the pieces of the word', () => {
    expect(cosine('zzkubernetization', 'zzkubernetizations')).toBeGreaterThan(0.5);
  });
});

test.each<[string, readonly string[]]>([
  ['We weld, and cook!', ['We', 'weld', 'and', 'cook']],
  ['C++ et C# à l’école 🙂', ['C++', 'et', 'C#', 'à', 'l', 'école']],
  ['', []],
])('words of %j stand where they are, and their sum points the way of the text', (text, words) => {
  const { vectors, spans } = encoder.tokens(text);
  const found = Array.from({ length: spans.length / 2 }, (_, i) => text.slice(spans[2 * i], spans[2 * i + 1]));
  expect(found).toEqual(words);
  expect(vectors).toHaveLength(words.length * dimensions);
  const sum = Float32Array.from({ length: dimensions }, (_, k) =>
    words.reduce((total, _word, i) => total + vectors[i * dimensions + k]!, 0),
  );
  const length = Math.hypot(...sum) || 1;
  for (const [k, value] of encoder.encode(text).entries()) expect(sum[k]! / length).toBeCloseTo(value, 4);
});
