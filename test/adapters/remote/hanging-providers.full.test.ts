import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createUpstreams } from '../../../src/adapters/remote/upstreams.ts';
import { searchOf } from '../../fakes/search-of.ts';
import { startFakeUpstream, UPSTREAM_KEY } from '../../fakes/upstream.ts';
import { perProvider } from '../../fakes/upstream-replies.ts';
import { loopbackAccess } from '../../helpers/private-access.ts';

const hanging = Array.from({ length: 18 }, (_, n) => `hanging-${n}`);
const good = Array.from({ length: 26 }, (_, n) => `good-${n}`);
/** The usual times. */
const times = { timeoutMs: 10_000, attemptTimeoutMs: 4_000 };
const SEARCH_MS = 2_500;
const SEARCHES = 6;

test('many hanging providers do not block others for long', async () => {
  const upstream = await startFakeUpstream({ providers: [...hanging, ...good] });
  upstream.reply('search-provider', perProvider(Object.fromEntries(hanging.map((id) => [id, { breaks: 'hang' }]))));
  const upstreams = createUpstreams({ privateAccess: loopbackAccess, ...times });
  const learning = upstreams.connect({ url: upstream.url, apiKey: UPSTREAM_KEY });
  const searchIn = (id: string) =>
    learning.ask('searchProvider', searchOf({ providers: [id] })).then(
      () => 'ok',
      (error) => error.code,
    );
  const search = () => ({
    bad: Promise.all(hanging.map(searchIn)),
    good: Promise.all(good.map(searchIn)),
  });
  // A client who turns to the next search when he has waited long enough, while the calls of the
  // last one go on.
  const searches = [];
  for (let n = 0; n < SEARCHES; n++) {
    searches.push(search());
    await sleep(SEARCH_MS);
  }
  for (const { good: outcomes } of searches) expect(new Set(await outcomes)).toEqual(new Set(['ok']));
  for (const { bad } of searches.slice(2)) {
    const asked = (await bad).filter((outcome) => outcome !== 'UPSTREAM_PAUSED');
    expect(asked.length).toBeLessThanOrEqual(4);
  }
  await upstreams.close();
  await upstream.close();
});
