import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf } from './error-of.ts';
import { type Api, startApi } from './start-api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('bodies', () => {
  const tagger = '/domcomp/v1/tagger';

  test('over 64 kB is 413, just under it is not', async () => {
    const response = await api.post(tagger, { text: 'a', padding: 'x'.repeat(64 * 1024) });
    expect(await errorOf(response)).toMatchObject({ statusCode: 413, code: 'BODY_TOO_LARGE' });
    expect((await api.post(tagger, { text: 'a', padding: 'x'.repeat(64 * 1024 - 100) })).status).toBe(200);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'the type %j is 415',
    async (type) => {
      const response = await api.post(tagger, '{"text":"a"}', { 'content-type': type });
      expect(await errorOf(response)).toMatchObject({ statusCode: 415, code: 'MEDIA_TYPE_UNSUPPORTED' });
    },
  );

  test('another charset or an unknown encoding is 415', async () => {
    for (const headers of [{ 'content-type': 'application/json; charset=latin1' }, { 'content-encoding': 'rot13' }]) {
      const response = await api.post(tagger, '{"text":"a"}', headers as Record<string, string>);
      expect(await errorOf(response)).toMatchObject({ statusCode: 415 });
    }
  });

  test('JSON in another Unicode is 415', async () => {
    const body = Buffer.from('{"text":"a"}', 'utf16le');
    const response = await api.post(tagger, body, { 'content-type': 'application/json; charset=utf-16le' });
    expect(await errorOf(response)).toMatchObject({ statusCode: 415, code: 'MEDIA_TYPE_UNSUPPORTED' });
  });

  test('JSON with a charset, in upper case, is read', async () => {
    const response = await api.post(tagger, '{"text":"a"}', {
      'content-type': 'Application/JSON; charset=UTF-8',
    });
    expect(response.status).toBe(200);
  });

  test.each(['{', '{"text":"a"', 'nothing', '{"text":"a"}}', "{'text':'a'}"])('the body %s is 400', async (body) => {
    expect(await errorOf(await api.post(tagger, body))).toMatchObject({
      statusCode: 400,
      code: 'BODY_MALFORMED',
    });
  });

  test('bytes that are no UTF-8 are 400, although they would parse', async () => {
    const body = Buffer.concat([Buffer.from('{"text":"caf'), Buffer.from([0xe9]), Buffer.from('"}')]);
    const before = api.learning.calls.tagger.length;
    expect(await errorOf(await api.post(tagger, body))).toMatchObject({
      statusCode: 400,
      code: 'BODY_MALFORMED',
    });
    expect(api.learning.calls.tagger).toHaveLength(before);
  });

  test('no body is 400 and lists what is missing', async () => {
    const answer = await errorOf(await api.post(tagger, ''));
    expect(answer).toMatchObject({ statusCode: 400, details: [{ path: 'text' }] });
  });

  test.each(['[]', 'null', '5', '"text"'])('the body %j is 400 and no object', async (body) => {
    const answer = await errorOf(await api.post(tagger, body));
    expect(answer.details).toContainEqual({ path: 'body', problem: 'must be a JSON object' });
  });

  test('brackets within brackets are read without a hang', async () => {
    const body = `{"text":"a","deep":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    expect((await api.post(tagger, body)).status).toBe(200);
  });
});
