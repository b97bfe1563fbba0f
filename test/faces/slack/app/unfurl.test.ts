import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import { listSlackScopes } from '../../../../src/domain/slack.ts';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import type { SeenMessage } from '../../../fakes/slack.ts';
import { type RunningSlack, startSlack, toInstallation } from '../start-slack.ts';

/** Two objects, the second of which one tenant has hidden. */
const objects: Readonly<Record<string, LearningObject>> = {
  first: fullObject,
  second: { ...fullObject, title: 'Hidden <by> a tenant' },
};

describe('links to pages of objects', () => {
  let running: RunningSlack;
  beforeEach(async () => {
    running = await startSlack({
      isInstalled: false,
      deps: () => ({
        unfurlsLinks: true,
        findPublishedObject: async (tenantId, id) =>
          (tenantId !== DEFAULT_TENANT && id === 'second' ? null : objects[id]) ?? null,
      }),
    });
  });
  afterEach(async () => {
    const { slack, services } = running;
    await running.close();
    expect([slack.problems, services.problems]).toEqual([[], []]);
  });

  const install = async (where: 'acme' | 'north', scopes: readonly string[], tenantId: string = DEFAULT_TENANT) =>
    running.deps.slackInstallations.install(toInstallation(running.slack.install(where, scopes)), tenantId);

  /** Shares the links, and waits until the app has done with them. */
  async function share(who: 'ada' | 'olga', urls: readonly string[]): Promise<SeenMessage> {
    const person = running.slack[who];
    const message = person.says(`Look: ${urls.join(' ')}`);
    const ack = await person.sharesLinks(message, urls);
    expect(ack?.ok ?? true).toBe(true);
    // Another request of the same person is answered after this one.
    await person.opensHome();
    await person.waitsForHome();
    return person.sees().find(({ ts }) => ts === message.ts)!;
  }
  const unfurls = () => running.slack.calls.filter(({ method }) => method === 'chat.unfurl');
  const page = (rest: string) => `${running.url}/objects/${rest}`;
  const sharedUntil = async (who: 'ada' | 'olga', urls: readonly string[]) => {
    const before = unfurls().length;
    const { ts } = await share(who, urls);
    await expect.poll(() => unfurls().length).toBe(before + 1);
    const sees = () => running.slack[who].sees().find((message) => message.ts === ts)?.unfurls;
    await expect.poll(sees).toBeDefined();
    return sees()!;
  };

  test('unfurl, each address as it was typed, with title, facts and description', async () => {
    await install('acme', listSlackScopes(true));
    const urls = [page('first'), page('first?utm=1#part')];
    const shown = await sharedUntil('ada', [...urls, page('unknown'), `${running.url}/browse`]);
    expect(Object.keys(shown)).toEqual(urls);
    const [block] = shown[urls[0]!]!.blocks as { type: string; text: { text: string } }[];
    expect(block!.type).toBe('section');
    expect(block!.text.text).toContain(`<${fullObject.url}|${fullObject.title}>`);
  });

  test('unfurl in a tenant that can find the object only', async () => {
    await running.services.store.tenants.addTenant({
      ...(await running.services.tenants.getTenant(DEFAULT_TENANT)),
      id: 'north',
      name: 'North',
    });
    await install('acme', listSlackScopes(true));
    await install('north', listSlackScopes(true), 'north');
    expect(Object.keys(await sharedUntil('olga', [page('first'), page('second')]))).toEqual([page('first')]);
    expect(Object.keys(await sharedUntil('ada', [page('second')]))).toEqual([page('second')]);
  });

  test('stay as they are without both scopes, on other sites, and on a repeated delivery', async () => {
    await install('acme', [...listSlackScopes(false), 'links:read']);
    expect((await share('ada', [page('first')])).unfurls).toBeUndefined();
    await install('acme', listSlackScopes(true));
    await share('ada', ['https://other.example/objects/first', `https://evil.example/${running.url}/objects/first`]);
    expect(unfurls()).toEqual([]);
    const message = running.slack.ada.says(page('first'));
    const ack = await running.slack.ada.sharesLinks(message, [page('first')]);
    await expect.poll(() => unfurls().length).toBe(1);
    await running.slack.retries(ack!.delivery);
    await share('ada', [`${running.url}/browse`]);
    expect(unfurls()).toHaveLength(1);
  });
});
