import { describe, expect, test } from 'vitest';
import {
  parseProviderResponse,
  parseSearchProviderRequest,
  parseSearchRequest,
  writeProviderResponse,
} from '../../src/contract/index.ts';
import type { SearchAnswer } from '../../src/ports/learning-service.ts';
import { bareObject, fullObject } from '../fakes/learning-service.ts';
import { problemsOf } from './problems-of.ts';

const counts = new Map([
  ['edx', 3],
  ['7', 2],
]);
const answer: SearchAnswer = {
  requestId: 'r1',
  content: [fullObject, bareObject],
  page: 0,
  itemsPerPage: 10,
  totalItems: 2,
  hasMore: false,
  quality: 'A00',
  facets: { provider: counts, type: new Map(), bloom: new Map(), lang: new Map([['en', 2]]) },
  highlights: [
    { title: [[0, 6]], description: [] },
    { title: [], description: [] },
  ],
  tiers: ['fitting', 'close'],
  requestIds: ['r1', 'r2'],
};
const wide = (more: string) => parseSearchRequest(`keywords=a${more}`);
const write = (more = '&details=true') => JSON.parse(writeProviderResponse(wide(more), answer));
/** As it is after the wire, for a test to spoil. */
const sent = () => JSON.parse(JSON.stringify(write()));

const incomplete: SearchAnswer = {
  ...answer,
  isTotalExact: false,
  missing: [
    { id: 'tube', why: 'late' },
    { id: 'school', why: 'failed' },
    { id: 'books', why: 'not-asked' },
  ],
};

test('details are asked for with true, and with nothing else', () => {
  expect(wide('').withDetails).toBe(false);
  expect(wide('&details=false').withDetails).toBe(false);
  expect(wide('&details=true').withDetails).toBe(true);
  expect(wide('&details=true').query).toEqual(wide('').query);
  expect(problemsOf(() => wide('&details=all'))).toEqual({ details: 'must be true or false' });
  expect(parseSearchProviderRequest('keywords=a&details=true').withDetails).toBe(false);
});

test('the order and what the words wish for can be said, by the names that exist', () => {
  expect(wide('&sort=shortest&without=level&without=free&without=place').query).toMatchObject({
    sort: 'shortest',
    without: ['level', 'free', 'place'],
  });
  expect(wide('').query).not.toHaveProperty('without');
  expect(Object.keys(problemsOf(() => wide('&sort=oldest')))).toEqual(['sort']);
  expect(problemsOf(() => wide('&without=topic'))).not.toEqual({});
  expect(problemsOf(() => parseSearchProviderRequest('keywords=a&sort=shortest'))).not.toEqual({});
});

describe('an answer is written', () => {
  test('with its details where they are wanted, in the order of the facets', () => {
    const { response } = write();
    expect(response.facets).toEqual({
      provider: [
        { value: 'edx', count: 3 },
        { value: '7', count: 2 },
      ],
      type: [],
      bloom: [],
      lang: [{ value: 'en', count: 2 }],
    });
    expect(response.content.map(({ highlight }: Readonly<Record<string, unknown>>) => highlight)).toEqual(
      answer.highlights,
    );
  });

  test('without them where they are not', () => {
    for (const { response } of [
      write(''),
      JSON.parse(writeProviderResponse(parseSearchProviderRequest('keywords=a'), answer)),
    ]) {
      expect(response).not.toHaveProperty('facets');
      for (const item of response.content) expect(item).not.toHaveProperty('highlight');
    }
  });

  test('with how an object stands to the words where it does not fit, asked for or not', () => {
    for (const { response } of [write(''), write()])
      expect(response.content.map(({ tier }: Readonly<Record<string, unknown>>) => tier)).toEqual([undefined, 'close']);
  });

  test('with the request id of an object where it is another one', () => {
    for (const { response } of [write(''), write()])
      expect(response.content.map(({ request_id }: Readonly<Record<string, unknown>>) => request_id)).toEqual([
        undefined,
        'r2',
      ]);
  });
});

describe('what is missing in an answer', () => {
  const sentIncomplete = () => JSON.parse(writeProviderResponse(wide(''), incomplete));

  test('is written, whether details are wanted or not', () => {
    const { missing, metadata } = sentIncomplete().response;
    expect(missing).toEqual(incomplete.missing);
    expect(metadata.isTotalExact).toBe(false);
  });

  test('is not spoken of where nothing is', () => {
    const { response } = JSON.parse(writeProviderResponse(wide(''), { ...answer, missing: [], isTotalExact: true }));
    expect(response).not.toHaveProperty('missing');
    expect(response.metadata).not.toHaveProperty('isTotalExact');
  });

  test('is read again', () => {
    const { missing, isTotalExact } = parseProviderResponse(sentIncomplete());
    expect({ missing, isTotalExact }).toEqual({ missing: incomplete.missing, isTotalExact: false });
  });

  test('may be there for a reason nobody knows, or not be understood, and fails nothing', () => {
    const read = (missing: unknown, isTotalExact: unknown) => {
      const wire = sentIncomplete();
      wire.response.missing = missing;
      wire.response.metadata.isTotalExact = isTotalExact;
      return parseProviderResponse(wire);
    };
    const odd = [{ id: 'tube', why: 'asleep', since: 3 }, { id: 7, why: 'late' }, 'school', null];
    expect(read(odd, 'no').missing).toEqual([{ id: 'tube', why: 'failed' }]);
    for (const none of ['tube', {}, null, []]) {
      const answered = read(none, true);
      expect(answered).not.toHaveProperty('missing');
      expect(answered).not.toHaveProperty('isTotalExact');
    }
  });

  test('is not read of another service, where it means something else', () => {
    const wire = sentIncomplete();
    wire.request.provider = 'youtube';
    expect(parseProviderResponse(wire)).not.toHaveProperty('missing');
    expect(parseProviderResponse(wire)).not.toHaveProperty('isTotalExact');
  });
});

describe('an answer is read', () => {
  test('with all of them', () => {
    expect(parseProviderResponse(sent())).toEqual(answer);
  });

  test('without facets that are no facets', () => {
    for (const facets of [null, [], { provider: [] }, { ...sent().response.facets, lang: [{ value: 'en' }] }]) {
      const wire = sent();
      wire.response.facets = facets;
      const { facets: _, ...rest } = answer;
      expect(parseProviderResponse(wire)).toEqual(rest);
    }
  });

  test.each([
    [{ title: 'all' }],
    [null],
    [{ title: [[0, 6]], description: [[0]] }],
    [{ title: [[-1, 2]], description: [] }],
    [{ title: [[3, 3]], description: [] }],
    [{ title: [[0, fullObject.title.length + 1]], description: [] }],
    [
      {
        title: [
          [0, 4],
          [3, 5],
        ],
        description: [],
      },
    ],
  ])('with nothing marked where what is to be marked is %j', (highlight) => {
    const wire = sent();
    wire.response.content[0].highlight = highlight;
    const none = { title: [], description: [] };
    expect(parseProviderResponse(wire).highlights).toEqual([none, none]);
  });

  test('without highlights and request ids where no item has any', () => {
    const wire = sent();
    for (const item of wire.response.content) {
      delete item.highlight;
      item.request_id = 7;
    }
    const read = parseProviderResponse(wire);
    expect(read).not.toHaveProperty('highlights');
    expect(read).not.toHaveProperty('requestIds');
  });

  test('of another service without fields of the same names, which mean something else there', () => {
    const wire = sent();
    wire.request.provider = 'youtube';
    const { facets: _f, highlights: _h, requestIds: _r, tiers: _t, ...rest } = answer;
    expect(parseProviderResponse(wire)).toEqual(rest);
  });
});
