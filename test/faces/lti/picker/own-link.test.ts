import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { startWebSite, type WebSite } from '../../../fakes/web-site.ts';
import { problemOf, textOf } from '../../admin/read-page.ts';
import { type RunningLti, startLti } from '../start-lti.ts';
import { choose, readResponse } from './choose.ts';

let lti: RunningLti;
let site: WebSite;
beforeAll(async () => {
  [lti, site] = await Promise.all([startLti(), startWebSite()]);
  site.put('/loom', '<html lang="fr"><title>Tisser</title><meta name="description" content="Un métier.">');
});
afterAll(async () => {
  await lti?.close();
  await site?.close();
});

const UNREACHABLE = 'https://ours.example.org/pm-charter.pdf';

async function post(path: string, fields: Record<string, string>, token?: string): Promise<string> {
  const launch = token ?? (await lti.launchToken());
  const answer = await fetch(`${lti.url}/lti/picker/own${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${launch}` },
    body: new URLSearchParams(fields),
  });
  return answer.status === 200 ? answer.text() : `${answer.status}`;
}

const readPage = async (path: string) => JSON.parse(await post('/read', { url: site.origin + path }));
/** @returns the content items for the platform */
async function place(token: string, part: string) {
  const chosen = [{ handle: handleOf(part), title: 'Week 1', completion: 'marked' }];
  return (await readResponse(lti, await choose(lti, token, chosen))).items;
}

const handleOf = (part: string) => /data-handle="([^"]{50,})"/.exec(part)?.[1] ?? '';

test('U4: adds a file that the host cannot read, with the title that is typed, only to this course', async () => {
  const { problem } = JSON.parse(await post('/read', { url: UNREACHABLE }));
  expect(problem).toContain('The page could not be read');
  const token = await lti.launchToken();
  const part = await post('', { url: UNREACHABLE, title: 'Project charter', type: 'article', lang: 'en' }, token);
  expect(textOf(part)).toContain('Added to your selection.');
  const [item] = await place(token, part);
  const { placement: id } = item!.custom as { placement: string };
  const placement = await lti.services.store.placements.findPlacement(DEFAULT_TENANT, id);
  expect(placement?.object).toMatchObject({
    url: UNREACHABLE,
    title: 'Project charter',
    provider: 'ours.example.org',
    type: ['article'],
    isRestricted: true,
  });
  expect(await lti.services.objects.exists(DEFAULT_TENANT, UNREACHABLE)).toBe(false);
  expect(await lti.services.objects.listWaiting(DEFAULT_TENANT)).toEqual([]);
});

test('fills in what the page says, and suggests it to colleagues once it is sent to the course', async () => {
  const { objects } = lti.services;
  const { sealed, ...page } = await readPage('/loom');
  expect(page).toEqual({ title: 'Tisser', description: 'Un métier.', type: 'website', lang: 'fr' });
  const token = await lti.launchToken();
  const fields = { ...page, sealed, url: `${site.origin}/loom`, title: 'Tisser à la main', suggest: '1' };
  const part = await post('', fields, token);
  expect(await objects.listWaiting(DEFAULT_TENANT)).toEqual([]);
  await place(token, part);
  expect(await objects.listWaiting(DEFAULT_TENANT)).toMatchObject([
    { url: `${site.origin}/loom`, state: { fields: { title: 'Tisser à la main', lang: 'fr' } } },
  ]);

  // Suggested once already, it still goes into another course.
  const other = await lti.launchToken();
  expect(await place(other, await post('', fields, other))).toHaveLength(1);
  expect(await objects.listWaiting(DEFAULT_TENANT)).toHaveLength(1);
});

test('says what is wrong with a field, and keeps what was typed', async () => {
  const part = await post('', { url: 'file:///etc/passwd', title: '\u200b\u2060', description: 'Typed' });
  expect(problemOf(part, 'own-url')).toContain('isn’t a web address');
  expect(problemOf(part, 'own-title')).toContain('Please fill in this field.');
  expect(part).toContain('>Typed</textarea>');
  const withLogin = JSON.parse(await post('/read', { url: 'https://me:pass@a.example/' }));
  expect(withLogin.problem).toContain('name or password');
  // A sealed page of another address does not count.
  const { sealed } = await readPage('/loom');
  const other = await post('', { url: `${site.origin}/other`, title: 'Other', sealed });
  expect(other).toContain(`data-address="${new URL(site.origin).host}/other"`);
});

test('refuses learners, and limits the pages per person', async () => {
  const learner = await lti.launchToken({ role: 'learner', deepLinking: null });
  expect(await post('/read', { url: `${site.origin}/loom` }, learner)).toBe('403');
  const token = await lti.launchToken();
  const answers: string[] = [];
  for (let i = 0; i < 32; i++) answers.push(await post('/read', { url: `${site.origin}/gone` }, token));
  expect(answers.at(-1)).toContain('You have read many pages in a short time.');
});
