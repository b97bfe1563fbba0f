import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeUpstream, startFakeUpstream } from '../../fakes/upstream.ts';
import { aFeedback, errorOf, useRemote } from './start-remote.ts';

const remote = useRemote();
let other: FakeUpstream;
beforeEach(async () => {
  other = await startFakeUpstream();
});
afterEach(() => other.close());

const to = (location: string, status = 302) => ({ status, body: '', headers: { location } });
const suggest = () => remote.upstreams.connect(remote.direct()).ask('suggest', { keywords: 'a' });

test.each([301, 302, 303, 307, 308])('%i within the origin is followed with the key', async (status) => {
  remote.upstream.reply('*', to('/domcomp/v1/suggest?keywords=b', status), {
    body: { response: { content: [], msg: 'C00-' } },
  });
  expect(await suggest()).toMatchObject({ quality: 'C00' });
  const [first, second] = remote.upstream.requests;
  expect(second).toMatchObject({ method: 'GET', query: { keywords: 'b' } });
  expect(second!.headers['x-api-key']).toBe(first!.headers['x-api-key']);
});

test('at most three are followed', async () => {
  remote.upstream.reply('*', to('/a'), to('b'), to(`${remote.upstream.url}/c`), { body: [] });
  await expect(remote.upstreams.connect(remote.direct()).ask('listTypes', {})).resolves.toEqual([]);
  remote.upstream.requests.length = 0;
  remote.upstream.reply('*', to('/round'));
  expect(await errorOf(suggest())).toMatchObject({ code: 'UPSTREAM_FAILED', data: { status: 302 } });
  expect(remote.upstream.requests).toHaveLength(4);
});

test('another host, port or scheme gets neither the call nor the key', async () => {
  const { port } = new URL(remote.upstream.url);
  for (const location of [
    `${other.url}/domcomp/v1/suggest`,
    `//127.0.0.1:${new URL(other.url).port}/`,
    `http://localhost:${port}/domcomp/v1/suggest`,
    `https://127.0.0.1:${port}/domcomp/v1/suggest`,
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'http://[',
  ]) {
    remote.upstream.reply('*', to(location));
    expect(await errorOf(suggest()), location).toMatchObject({ code: 'UPSTREAM_FAILED' });
  }
  expect(other.requests).toEqual([]);
});

test('the error names the origin a redirect leads to, for the administrator to enter', async () => {
  remote.upstream.reply('*', to('https://api.example.org/v7?token=hidden'));
  const error = await errorOf(suggest());
  expect(error.message).toContain('sending us on to https://api.example.org,');
  expect(error.message).not.toContain('hidden');
});

test('what is posted is posted again only where the service says so', async () => {
  const give = () => remote.upstreams.connect(remote.direct()).ask('feedback', aFeedback);
  for (const status of [307, 308]) {
    remote.upstream.requests.length = 0;
    remote.upstream.reply('*', to('/learningobject/v2/feedback', status), { body: {} });
    await give();
    const [first, second] = remote.upstream.requests;
    expect(second).toMatchObject({ method: 'POST', body: first!.body });
  }
  for (const status of [301, 302, 303]) {
    remote.upstream.requests.length = 0;
    remote.upstream.reply('*', to('/learningobject/v2/feedback', status), { body: {} });
    expect(await errorOf(give())).toMatchObject({ code: 'UPSTREAM_FAILED' });
    expect(remote.upstream.requests).toHaveLength(1);
  }
});
