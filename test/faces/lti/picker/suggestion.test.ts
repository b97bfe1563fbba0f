import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { startWebSite, type WebSite } from '../../../fakes/web-site.ts';
import { fieldOf, problemOf, textOf } from '../../admin/read-page.ts';
import { type RunningLti, startLti } from '../start-lti.ts';

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

async function post(path: string, fields: Record<string, string>, token?: string): Promise<string> {
  const launch = token ?? (await lti.launchToken());
  const answer = await fetch(`${lti.url}/lti/picker/own${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${launch}` },
    body: new URLSearchParams(fields),
  });
  return answer.status === 200 ? answer.text() : `${answer.status}`;
}

const confirm = (part: string, changes: Record<string, string> = {}) => ({
  sealed: fieldOf(part, 'sealed') ?? '',
  ...{ title: fieldOf(part, 'title') ?? '', description: '', type: 'article', lang: 'fr' },
  ...changes,
});

test('stores a suggestion for review, and lets the instructor place it', async () => {
  const { objects } = lti.services;
  const part = await post('/read', { url: `${site.origin}/loom` });
  expect(fieldOf(part, 'title')).toBe('Tisser');
  expect(await objects.listWaiting(DEFAULT_TENANT)).toEqual([]);
  const done = await post('', confirm(part, { title: 'Tisser à la main' }));
  expect(textOf(done)).toContain('once an administrator has approved it');
  expect(done).toMatch(/data-handle="[^"]{50,}"/);
  expect(await objects.listWaiting(DEFAULT_TENANT)).toMatchObject([
    {
      url: `${site.origin}/loom`,
      state: { fields: { title: 'Tisser à la main', type: ['article'], lang: 'fr' } },
    },
  ]);
  const again = textOf(await post('', confirm(await post('/read', { url: `${site.origin}/loom` }))));
  expect(again).toContain('has already been suggested');
});

test('publishes a suggestion at once where the tenant allows that', async () => {
  const { tenants, objects } = lti.services;
  const { version } = await tenants.getTenant(DEFAULT_TENANT);
  const actor = { kind: 'admin', id: 'ada', name: 'Ada', address: null } as const;
  await tenants.changeTenant(actor, DEFAULT_TENANT, { version, suggestions: 'at-once' });
  site.put('/two', '<title>Two</title>');
  const done = await post('', confirm(await post('/read', { url: `${site.origin}/two` })));
  expect(textOf(done)).toContain('Your colleagues can now find it');
  expect(await objects.listWaiting(DEFAULT_TENANT)).toHaveLength(1);
});

test('explains which page cannot be read, or was not read', async () => {
  expect(textOf(await post('/read', { url: 'file:///etc/passwd' }))).toContain('isn’t a web address');
  expect(textOf(await post('/read', { url: `${site.origin}/none` }))).toContain('status 404');
  expect(textOf(await post('/read', { url: 'https://me:pass@a.example/' }))).toContain('name or password');
  const part = await post('/read', { url: `${site.origin}/loom` });
  const unseen = await post('', confirm(part, { title: '\u200b\u2060', description: 'Typed' }));
  expect(problemOf(unseen, 'own-title')).toContain('Please fill in this field.');
  expect(unseen).toContain('>Typed</textarea>');
  expect(fieldOf(unseen, 'sealed')).toBeTruthy();
  expect(textOf(await post('', confirm(part, { sealed: 'made up' })))).toContain('Read the page again');
  expect(textOf(await post('', confirm(part, { type: 'nonsense' })))).toContain('Read the page again');
});

test('refuses learners, and limits the pages per person', async () => {
  const learner = await lti.launchToken({ role: 'learner', deepLinking: null });
  expect(await post('/read', { url: `${site.origin}/loom` }, learner)).toBe('403');
  const token = await lti.launchToken();
  const answers = new Set<string>();
  for (let i = 0; i < 32; i++) answers.add(textOf(await post('/read', { url: `${site.origin}/gone` }, token)));
  expect([...answers].at(-1)).toContain('You have read many pages in a short time.');
});
