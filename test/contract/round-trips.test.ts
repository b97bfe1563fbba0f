import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import * as contract from '../../src/contract/index.ts';
import * as arbitraries from './arbitraries.ts';

const { texts } = arbitraries;

/** As it is after the wire. */
const sent = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

describe('a request that is written and read again is the same', () => {
  test('search-provider', () => {
    fc.assert(
      fc.property(arbitraries.queries, (query) => {
        const read = contract.parseSearchProviderRequest(contract.writeSearchRequest(query));
        expect(read.query).toEqual(query);
      }),
    );
  });

  test('search, our extension', () => {
    fc.assert(
      fc.property(arbitraries.wideQueries, fc.boolean(), (query, withDetails) => {
        const read = contract.parseSearchRequest(contract.writeSearchRequest(query, { withDetails }));
        expect(read.query).toEqual(query);
        expect(read.withDetails).toBe(withDetails);
      }),
    );
  });

  test('similar, suggest and tagger', () => {
    fc.assert(
      fc.property(texts, texts, fc.integer({ min: 1, max: 50 }), (text, source, max) => {
        const similar = { keywords: text, lang: 'fr', source, max };
        expect(contract.parseSimilarRequest(contract.writeSimilarRequest(similar))).toEqual(similar);
        const suggest = { keywords: text };
        expect(contract.parseSuggestRequest(contract.writeSuggestRequest(suggest))).toEqual(suggest);
        const tagger = { text, lang: 'fr', source, max };
        expect(contract.parseTaggerRequest(sent(contract.writeTaggerRequest(tagger)))).toEqual(tagger);
        const more = { ...tagger, guesses: true, spans: false };
        expect(contract.parseTaggerRequest(sent(contract.writeTaggerRequest(more)))).toEqual(more);
      }),
    );
  });

  test('feedback', () => {
    const feedback = fc.record(
      {
        url: fc.webUrl(),
        comment: texts,
        requestId: texts,
        email: fc.constantFrom('a@example.org', 'ada.lovelace+tag@mail.example.co.uk'),
        source: fc.webUrl(),
      },
      { requiredKeys: ['url', 'requestId', 'email', 'source'] },
    );
    fc.assert(
      fc.property(feedback, (given) => {
        expect(contract.parseFeedbackRequest(sent(contract.writeFeedbackRequest(given)))).toEqual(given);
      }),
    );
  });

  test('numbers that JavaScript would write with an exponent or many decimals are read again', () => {
    const query = contract.parseSearchProviderRequest('keywords=a').query;
    for (const levelMin of [1e-7, 1 / 3, 0.1 + 0.2, -2 / 3]) {
      const written = contract.writeSearchRequest({ ...query, levelMin });
      expect(contract.parseSearchProviderRequest(written).query.levelMin).toBe(levelMin);
    }
  });
});

/** Written, sent, found to follow its own schema, and read again: the same. */
function expectSame<T>(
  values: fc.Arbitrary<T>,
  { write, schema, parse }: { write(value: T): unknown; schema: z.ZodType; parse(body: unknown): unknown },
): void {
  fc.assert(
    fc.property(values, (value) => {
      const body = sent(write(value));
      expect(schema.safeParse(body).error?.issues ?? []).toEqual([]);
      expect(parse(body)).toEqual(value);
    }),
  );
}

describe('an answer that is written and read again is the same, and follows its own schema', () => {
  test('search-provider', () => {
    const request = contract.parseSearchProviderRequest('keywords=python&levelMax=0.5!important');
    expectSame(arbitraries.searchAnswers, {
      write: (answer) => JSON.parse(contract.writeSearchResponse(request, answer)),
      schema: contract.searchProviderResponse,
      parse: contract.parseSearchResponse,
    });
  });

  test('search, our extension', () => {
    const request = contract.parseSearchRequest('keywords=python&provider=a&provider=b&type=MOOC&details=true');
    expectSame(arbitraries.wideSearchAnswers, {
      write: (answer) => JSON.parse(contract.writeSearchResponse(request, answer)),
      schema: contract.searchResponse,
      parse: contract.parseSearchResponse,
    });
  });

  test('similar', () => {
    expectSame(arbitraries.terms, {
      write: (terms) => contract.writeSimilarResponse({ keywords: 'python', lang: 'en' }, terms),
      schema: contract.similarResponse,
      parse: contract.parseSimilarResponse,
    });
  });

  test('tagger', () => {
    expectSame(arbitraries.tagSets, {
      write: contract.writeTaggerResponse,
      schema: contract.taggerResponse,
      parse: contract.parseTaggerResponse,
    });
  });

  test('suggest', () => {
    expectSame(arbitraries.suggestAnswers, {
      write: (answer) => contract.writeSuggestResponse({ keywords: 'python' }, answer),
      schema: contract.suggestResponse,
      parse: contract.parseSuggestResponse,
    });
  });

  test('provider', () => {
    expectSame(arbitraries.providers, {
      write: contract.writeProviderResponse,
      schema: contract.providerResponse,
      parse: contract.parseProviderResponse,
    });
  });

  test.each([
    ['type', contract.writeTypeResponse, contract.typeResponse, contract.parseTypeResponse],
    ['bloom', contract.writeBloomResponse, contract.bloomResponse, contract.parseBloomResponse],
    ['lang', contract.writeLangResponse, contract.langResponse, contract.parseLangResponse],
  ])('%s', (_name, write, schema, parse) => {
    expectSame(arbitraries.listEntries, { write, schema, parse });
  });

  test('feedback', () => {
    const body = sent(contract.writeFeedbackResponse());
    expect(contract.feedbackResponse.parse(body)).toMatchObject({ statusCode: 200 });
    expect(contract.parseFeedbackResponse(body)).toBeUndefined();
  });
});
