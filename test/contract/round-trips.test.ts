import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import * as contract from '../../src/contract/index.ts';
import type { OperationRequest, PresentAnswer, WireOperationName } from '../../src/ports/learning-service.ts';
import * as arbitraries from './arbitraries.ts';

const { texts } = arbitraries;

/** As it is after the wire. */
const sent = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

function sendRequest<N extends WireOperationName>(name: N, request: OperationRequest<N>): unknown {
  const wire: contract.Wire<N> = contract.operations[name];
  const written = wire.writeRequest(request);
  return wire.readRequest({ ...written, body: written.body && sent(written.body) }).request;
}

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
        expect(sendRequest('similar', similar)).toEqual(similar);
        const suggest = { keywords: text };
        expect(sendRequest('suggest', suggest)).toEqual(suggest);
        const tagger = { text, lang: 'fr', source, max };
        expect(sendRequest('tagger', tagger)).toEqual(tagger);
        const more = { ...tagger, guesses: true, spans: false };
        expect(sendRequest('tagger', more)).toEqual(more);
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
        expect(sendRequest('feedback', given)).toEqual(given);
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
      write: (answer) => JSON.parse(contract.writeProviderResponse(request, answer)),
      schema: contract.operations.searchProvider.response,
      parse: contract.parseProviderResponse,
    });
  });

  test('search, our extension', () => {
    const request = contract.parseSearchRequest('keywords=python&provider=a&provider=b&type=MOOC&details=true');
    expectSame(arbitraries.wideSearchAnswers, {
      write: (answer) => JSON.parse(contract.writeProviderResponse(request, answer)),
      schema: contract.operations.searchMany.response,
      parse: contract.parseProviderResponse,
    });
  });

  function expectSameAnswer<N extends WireOperationName>(
    name: N,
    answers: fc.Arbitrary<PresentAnswer<N>>,
    request: OperationRequest<N>,
  ): void {
    const wire: contract.Wire<N> = contract.operations[name];
    const { writeAnswer } = wire.readRequest(wire.writeRequest(request));
    expectSame(answers, { write: writeAnswer, schema: wire.response, parse: wire.readAnswer });
  }

  test('similar', () => {
    expectSameAnswer('similar', arbitraries.terms, { keywords: 'python', lang: 'en' });
  });

  test('tagger', () => {
    expectSameAnswer('tagger', arbitraries.tagSets, { text: 'we teach', lang: 'en' });
  });

  test('suggest', () => {
    expectSameAnswer('suggest', arbitraries.suggestAnswers, { keywords: 'python' });
  });

  test('provider', () => {
    expectSameAnswer('listProviders', arbitraries.providers, {});
  });

  test.each(['listTypes', 'listBlooms', 'listLanguages'] as const)('%s', (name) => {
    expectSameAnswer(name, arbitraries.listEntries, {});
  });

  test('feedback', () => {
    const { readRequest, readAnswer, response } = contract.operations.feedback;
    const feedback = { url: 'https://a.example', request_id: 'r', email: 'a@example.org', source: 'https://b.example' };
    const body = sent(readRequest({ body: feedback }).writeAnswer(undefined));
    expect(response.parse(body)).toMatchObject({ statusCode: 200 });
    expect(readAnswer(body)).toBeUndefined();
  });
});
