import { describe, expect, test } from 'vitest';
import type { UpstreamOperation } from '../../../fakes/upstream-specification.ts';
import { type Body, found, fullEcho, useInspection } from './start-inspection.ts';

const used = useInspection();

/** Changes one place of a body, or takes it away where the value is undefined.
 *  @param path `response.content[3].price-free` */
function put(body: Body, path: string, value: unknown): void {
  const steps = path.split(/\.|\[(\d+)\]/).filter(Boolean);
  const last = steps.pop()!;
  const parent = steps.reduce((at, step) => at[step], body);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
}

describe('a search that lies is named by the field', () => {
  test.each<[path: string, value: unknown, problem: string]>([
    ['response.content[3].PriceSpecification.price-free', 'true', 'expected boolean, found string "true"'],
    [
      'response.content[1].PriceSpecification.@type',
      'Price',
      'expected "PriceSpecification", found string "Price"',
    ],
    ['response.content[1].title', undefined, 'is missing; expected string'],
    ['response.content[1].title', null, 'expected string, found null'],
    ['response.content[0].type[0]', 'video', 'expected upper case, found string "video"'],
    ['response.content[0].bloom', 'Apply', 'expected array, found string "Apply"'],
    ['response.content[2].author', 7, 'expected array, found number 7'],
    ['response.content[2].level', 3, 'expected a decimal from -1 to 1, found number 3'],
    ['response.content[0].learningTimeUnit', 'days', 'expected h or min, found string "days"'],
    ['response.content[0].picture', 'none', 'expected a URL, found string "none"'],
    [
      'response.content[0].url',
      'javascript:0',
      'expected an http or https address, found string "javascript:0"',
    ],
    ['response.msg', 'fine', 'must begin with A00-, B00- or C00-, found string "fine"'],
    ['response.msg', 'C00-None', 'expected A00 or B00 with 5 items, found string "C00-None"'],
    ['response.metadata', undefined, 'is missing; expected object'],
    ['response.metadata.page', 7, 'expected what was asked, 0, found number 7'],
    ['response.metadata.number item per page', '5', 'expected number, found string "5"'],
    ['response.metadata.hasMore', false, 'expected true after page 0 of 25 items, found boolean false'],
    ['response.metadata.total number item', 2, 'expected at least 5, found number 2'],
    ['request.id', undefined, 'is missing; expected string'],
    ['request.id', '', 'expected an identifier, found string ""'],
    ['request.publisher', undefined, 'is missing; expected a plain value'],
    ['request.keywords', 'x', 'expected what was asked, "communication", found string "x"'],
    ['statusCode', 201, 'expected 200, found number 201'],
    ['statusCode', undefined, 'is missing; expected number'],
  ])('%s = %j', async (path, value, problem) => {
    used.upstream.reply(
      'search-provider',
      fullEcho((body) => put(body, path, value)),
    );
    expect(found(await used.inspect(), 'deviation')).toContain(`search-provider ${path}: ${problem}`);
  });

  test('names that are none', async () => {
    used.upstream.reply(
      'search-provider',
      fullEcho((body) => put(body, 'response.content[2].author', ['Ada', 7])),
    );
    expect(found(await used.inspect(), 'deviation')).toContain(
      'search-provider response.content[2].author[1]: expected a name, or an object that has one, found number 7',
    );
  });

  test.each<[string, (content: object[]) => void, string]>([
    ['too many', (content) => content.push(content[0]!), 'expected at most 5 items, found number 6'],
    ['too few', (content) => content.pop(), 'expected 5 of 25 items on page 0, found number 4'],
  ])('%s items', async (_name, spoil, problem) => {
    used.upstream.reply(
      'search-provider',
      fullEcho(({ response }) => spoil(response.content)),
    );
    expect(found(await used.inspect(), 'deviation')).toContain(
      `search-provider response.content: ${problem}`,
    );
  });

  test('the same page again and again', async () => {
    used.upstream.reply(
      'search-provider',
      fullEcho(({ response }) => {
        for (const [rank, item] of response.content.entries()) item.url = `https://a.example/${rank}`;
      }),
    );
    expect(found(await used.inspect(), 'deviation')).toEqual([
      'search-provider response.content: expected other objects than on the page before, found string "5 of 5 again"',
    ]);
  });

  test('more than the largest page', async () => {
    used.upstream.reply('*', ({ query }) => {
      const content = Array.from({ length: 21 }, () => ({ title: 'a', url: 'https://a.example' }));
      return query.max === '21' ? { body: { response: { content } } } : undefined;
    });
    expect(found(await used.inspect(), 'deviation')).toEqual([
      'search-provider response.content: expected at most 20 items, found number 21',
    ]);
  });
});

describe('other operations that lie are named by the field', () => {
  test.each<[operation: UpstreamOperation, path: string, value: unknown, problem: string]>([
    ['provider', 'response[1].id', undefined, 'is missing; expected string'],
    ['provider', 'response[0].@type', 'org', 'expected "provider", found string "org"'],
    ['provider', 'response[0].license', 'none', 'expected a URL, found string "none"'],
    [
      'provider',
      'response[0].logo[2].colorScheme',
      'blue',
      'expected one of dark, light, found string "blue"',
    ],
    ['provider', 'statusCode', undefined, 'is missing; expected number'],
    ['type', '[0].type', 7, 'expected string, found number 7'],
    ['bloom', '[0].description', undefined, 'is missing; expected string'],
    ['lang', 'response[0].lang', 'french', 'expected a two-letter code, found string "french"'],
    ['similar', 'request.lang', 'fr', 'expected what was asked, "en", found string "fr"'],
    ['similar', 'response[1].source', undefined, 'is missing; expected string'],
    ['tagger', 'body.tags[0]', 7, 'expected string, found number 7'],
    ['suggest', 'response.content[1]', { label: 'x' }, 'neither score nor confidence is given'],
  ])('%s %s = %j', async (operation, path, value, problem) => {
    used.upstream.reply(operation, {
      change(body) {
        put(body, path, value);
        return body;
      },
    });
    const lines = found(await used.inspect(), 'deviation');
    expect(lines.filter((line) => line.startsWith(`${operation} ${path}`))).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  test('three logos, a list without its envelope and one with one too many', async () => {
    used.upstream.reply('provider', {
      change(body) {
        body.response[1].logo.pop();
        return body;
      },
    });
    used.upstream.reply('type', { change: (response) => ({ statusCode: 200, response }) });
    expect(found(await used.inspect(), 'deviation')).toEqual([
      'provider response[1].logo: expected four logos, one for each colour scheme and aspect ratio, found string "dark landscape, dark square, light landscape"',
      'type body: expected array, found object',
    ]);
    used.upstream.reply('provider', { change: ({ response }) => response });
    expect(found(await used.inspect(), 'deviation')).toContain(
      'provider body: expected object, found array of 2',
    );
  });
});

test('what the specification leaves open is no deviation', async () => {
  used.upstream.reply(
    'search-provider',
    fullEcho(({ request, response }) => {
      request.max = Number(request.max);
      response.content[0].level = null;
      response.content[1].publisher = [{ name: 'A university' }];
      response.content[2].stars = { of: 'the service' };
      response.content[3].type = ['FILM'];
    }),
  );
  used.upstream.reply('lang', { change: ({ response }) => response });
  const calls = await used.inspect();
  expect(found(calls, 'deviation')).toEqual([]);
  expect(found(calls, 'note')).toEqual(
    expect.arrayContaining([
      'lang body: is a bare array; the specification does not show the form',
      'search-provider response.content[0].level: expected number, found null',
      'search-provider response.content[3].type[0]: is not among the types that the specification lists, found string "FILM"',
    ]),
  );
});
