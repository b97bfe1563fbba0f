import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadRuntime } from '../../../src/adapters/onnx/runtime.ts';
import { createTokenize } from '../../../src/adapters/onnx/tokenize.ts';
import { findTestModel } from '../../helpers/test-model.ts';

const folder = await findTestModel();

describe.skipIf(folder === null)('tokens with their places', () => {
  if (folder === null) return;
  const { tokenizers } = loadRuntime();
  const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as object;
  const tokenizer = new tokenizers.Tokenizer(
    { ...readJson('tokenizer.json'), truncation: null, padding: null },
    readJson('tokenizer_config.json'),
  );
  const tokenize = createTokenize(tokenizer, 256);
  const wholeIds = (text: string) => tokenizer.encode(text, { add_special_tokens: true }).ids;
  const placesOf = (text: string) => {
    const { spans } = tokenize(text);
    return Array.from({ length: spans.length / 2 }, (_, token) =>
      text.slice(spans[2 * token], spans[2 * token + 1]),
    );
  };

  test('stand where the words do, also within words that are written together', () => {
    expect(placesOf('Manage  a team-based (agile) project')).toEqual([
      'Manage',
      'a',
      'team',
      '-',
      'based',
      '(',
      'agile',
      ')',
      'project',
    ]);
    // One word may have several tokens.
    expect(placesOf("l'été à Metz")).toEqual(['l', "'", 'été', 'été', 'à', 'Metz']);
    expect(placesOf('学習 和 data')).toEqual(['学', '習', '和', 'data']);
    expect(placesOf('👩🏽‍💻 code')).toEqual(['👩🏽‍💻', 'code']);
  });

  const words = fc.constantFrom(
    ...[
      'Python',
      'data-driven',
      "l'été",
      '(C++)',
      'e-mail@example.org',
      '3,5',
      '学習',
      '👩🏽‍💻',
      'ﬁne',
      'İstanbul',
      '[SEP]',
      '[MASK]ed',
    ],
    ...['a\uFEFFb', 'a\u200Bb', 'x\u0000y', '\u0085', 'ä', 'I\u0307', 'प्रबंधन', 'ß', '…', 'z'.repeat(120)],
  );
  const blanks = fc.constantFrom(' ', '  ', '\n', '\t', '\u00a0', '\u3000', '\u2028');

  test('are those of the whole text', () => {
    const text = fc
      .array(fc.tuple(fc.oneof(words, fc.string({ unit: 'grapheme' })), blanks), { maxLength: 12 })
      .map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(text, (given) => {
        const { ids, spans, first } = tokenize(given);
        const whole = wholeIds(given);
        if (whole.length > 256) return;
        expect(ids).toEqual(whole);
        expect(spans).toHaveLength(2 * (ids.length - 2));
        expect(first).toBe(1);
        for (let at = 0; at < spans.length; at += 2) {
          expect(spans[at]).toBeLessThan(spans[at + 1]!);
          expect(spans[at + 1]).toBeLessThanOrEqual(given.length);
          if (at > 0) expect(spans[at]).toBeGreaterThanOrEqual(spans[at - 2]!);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('those before a text are not of the text', () => {
    const { ids, spans, first } = tokenize('welding', 'query: ');
    expect(ids).toEqual(wholeIds('query: welding'));
    expect(first).toBe(3);
    expect(spans).toEqual(tokenize('welding').spans);
  });

  test('are cut where the model reads no further', () => {
    const short = createTokenize(tokenizer, 8);
    const { ids, spans } = short('one two three four five six seven eight nine');
    expect(ids).toHaveLength(8);
    expect(ids.at(-1)).toBe(wholeIds('x').at(-1));
    expect(spans).toHaveLength(12);
    const prefixed = createTokenize(tokenizer, 8)('text', 'a prefix that is longer than what fits');
    expect(prefixed).toMatchObject({ spans: [], ids: { length: 8 } });
  });

  test('of a word without an end do not take for ever', () => {
    expect(tokenize('学'.repeat(100_000)).ids).toHaveLength(256);
    expect(tokenize('-'.repeat(1_000_000)).ids).toHaveLength(256);
  });

  test('there are none in nothing', () => {
    expect(tokenize('')).toMatchObject({ spans: [], ids: { length: 2 } });
    expect(tokenize(' \n ')).toMatchObject({ spans: [], ids: { length: 2 } });
  });

  test('of a tokenizer that writes blanks into its tokens, as that of models of many languages, are those of the whole text', () => {
    const pieces = [
      '<s>',
      '</s>',
      '<unk>',
      '▁',
      '▁we',
      'ld',
      'ing',
      '▁pas',
      'sage',
      ':',
      '▁query',
      '-',
      'é',
      't',
      '▁€',
    ];
    const unigram = new tokenizers.Tokenizer(
      {
        added_tokens: pieces.slice(0, 3).map((content, id) => ({ id, content, special: true })),
        normalizer: { type: 'NFKC' },
        pre_tokenizer: {
          type: 'Sequence',
          pretokenizers: [
            { type: 'WhitespaceSplit' },
            { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always' },
          ],
        },
        post_processor: {
          type: 'TemplateProcessing',
          single: [
            { SpecialToken: { id: '<s>', type_id: 0 } },
            { Sequence: { id: 'A', type_id: 0 } },
            { SpecialToken: { id: '</s>', type_id: 0 } },
          ],
          pair: [],
        },
        decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always' },
        model: { type: 'Unigram', unk_id: 2, vocab: pieces.map((piece, rank) => [piece, -rank]) },
      },
      { unk_token: '<unk>' },
    );
    const own = createTokenize(unigram, 64);
    for (const text of ['welding', 'we  ld-ing', 'passage: été', '▁we', '€ query: welding 学', ' - ']) {
      const { ids, spans } = own(text, 'query: ');
      expect(ids).toEqual(unigram.encode(`query: ${text}`, { add_special_tokens: true }).ids);
      expect(ids[0]).toBe(0);
      expect(ids.at(-1)).toBe(1);
      expect(spans.length / 2).toBe(
        ids.length - 2 - unigram.encode('query: ', { add_special_tokens: false }).ids.length,
      );
    }
    expect(own('we ld-ing').spans).toEqual([0, 2, 3, 9, 3, 9, 3, 9, 3, 9]);
  });
});
