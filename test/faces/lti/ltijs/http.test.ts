import { describe, expect, test, vi } from 'vitest';
import { got, type HttpCall, withHttp } from '../../../../src/faces/lti/ltijs/http.ts';

const answering = (text: string) =>
  vi.fn<HttpCall>(async (url) => ({
    status: 200,
    headers: { link: 'x' },
    text,
    bytes: Buffer.from(text),
    url,
  }));

describe('the calls of ltijs', () => {
  test('go to the host that they are made for, also side by side', async () => {
    const [one, two] = [answering('"one"'), answering('"two"')];
    const ask = (call: HttpCall) => withHttp(call, () => got.get('https://lms.example').json());
    expect(await Promise.all([ask(one), ask(two), ask(one)])).toEqual(['one', 'two', 'one']);
    expect(one).toHaveBeenCalledTimes(2);
  });

  test('are made for none outside of one', async () => {
    await expect(got.get('https://lms.example')).rejects.toThrow('withHttp');
    await expect(got.post('https://lms.example', { json: {} }).json()).rejects.toThrow('withHttp');
  });

  test('post forms and JSON, and keep the media type they name', async () => {
    const call = answering('{}');
    await withHttp(call, async () => {
      await got.post('https://lms.example', { form: { a: 'b c' } });
      await got.post('https://lms.example', { json: { a: 1 } });
      await got.post('https://lms.example', {
        json: { a: 1 },
        headers: { 'Content-Type': 'application/score' },
      });
    });
    expect(call.mock.calls.map(([, request]) => [request.headers?.['content-type'], request.body])).toEqual([
      ['application/x-www-form-urlencoded', 'a=b+c'],
      ['application/json', '{"a":1}'],
      ['application/score', '{"a":1}'],
    ]);
  });

  test('replace the query of an address by the one that is given', async () => {
    const call = answering('{}');
    const searchParams = new URLSearchParams({ b: '2' });
    const response = await withHttp(call, () => got.get('https://lms.example/x?a=1', { searchParams }));
    expect(call.mock.calls[0]![0]).toBe('https://lms.example/x?b=2');
    expect(response).toEqual({ statusCode: 200, headers: { link: 'x' }, body: '{}' });
  });
});
