import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullObject } from '../../../fakes/learning-service.ts';
import { textOf } from '../../admin/read-page.ts';
import { type RunningLti, startLti } from '../start-lti.ts';

let lti: RunningLti;
beforeAll(async () => {
  lti = await startLti();
});
afterAll(() => lti?.close());

const teacher = (id: string) => lti.launchToken({ user: { id, name: null, email: null } });

async function get(launch: string, query: Record<string, string> = {}): Promise<string> {
  const address = `${lti.url}/lti/picker/plans?${new URLSearchParams(query)}`;
  const answer = await fetch(address, { headers: { Authorization: `Bearer ${launch}` } });
  expect(answer.status).toBe(200);
  return answer.text();
}

async function post(launch: string, fields: Record<string, string>, status = 200): Promise<string> {
  const answer = await fetch(`${lti.url}/lti/picker/plans`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { Authorization: `Bearer ${launch}` },
  });
  expect(answer.status).toBe(status);
  return answer.text();
}

const idOf = (html: string) => /data-stored-plan="([^"]+)"/.exec(html)![1]!;
const sectionsOf = (html: string) => [...html.matchAll(/data-section="([^"]+)"/g)].map(([, id]) => id!);
const itemsOf = (html: string) => [...html.matchAll(/data-item="([^"]+)"/g)].map(([, id]) => id!);

async function planFromText(launch: string): Promise<string> {
  const answer = await fetch(`${lti.url}/lti/picker/plan`, {
    method: 'POST',
    body: new URLSearchParams({ text: 'We teach Python to teachers.' }),
    headers: { Authorization: `Bearer ${launch}` },
  });
  const lines = (await answer.text()).trim().split('\n');
  return idOf(JSON.parse(lines.at(-1)!).html);
}

test('a plan from a text is stored, listed and opened, with what was found and what was not', async () => {
  const launch = await teacher('ada');
  expect(textOf(await get(launch))).toContain('No plan yet.');
  const plan = await planFromText(launch);
  expect(await get(launch)).toContain(`data-plan-open="${plan}"`);
  const html = await get(launch, { plan });
  expect(textOf(html)).toContain('We teach Python to teachers.');
  expect(itemsOf(html)).toHaveLength(2);
  expect(html).toContain('data-address="example.org/python"');
  expect(textOf(html)).toContain('Python for everybody');
  expect(textOf(await get(await teacher('ben')))).toContain('No plan yet.');
});

test('a plan is changed by its forms, and improved in place', async () => {
  const launch = await teacher('eve');
  const plan = await planFromText(launch);
  let html = await post(launch, { kind: 'describe', plan, name: 'Python & co', expectedHours: '3' });
  expect(html).toContain('Python &amp; co');
  expect(html).toContain('aria-label="50% of the expected time"');
  html = await post(launch, { kind: 'add-section', plan, title: 'At the end' });
  const [item = '', second = ''] = itemsOf(html);
  const last = sectionsOf(html).at(-1)!;
  html = await post(launch, { kind: 'move-item', plan, item, section: last });
  html = await post(launch, { kind: 'move-item', plan, item: second, section: last, place: '0' });
  expect(itemsOf(html)).toEqual([second, item]);
  html = await post(launch, { kind: 'note', plan, item, note: 'Chapter <2>', isGraded: '1' });
  expect(html).toContain('Graded · Chapter &lt;2&gt;');
  html = await post(launch, { kind: 'improve', plan, item, wish: 'another' });
  expect(textOf(html)).toContain('Nothing better was found.');
  html = await post(launch, { kind: 'remove-item', plan, item: second });
  expect(itemsOf(html)).toEqual([item]);
  html = await post(launch, { kind: 'improve', plan, item, wish: 'another' });
  expect(html).toContain('data-address="example.org/bare"');
  await post(launch, { kind: 'hack', plan }, 400);
  expect(textOf(await post(launch, { kind: 'remove', plan }))).toContain('No plan yet.');
});

test('a plan starts with the shelf, by hand, or as a copy of what a colleague shared', async () => {
  const [ada, ben] = [await teacher('dora'), await teacher('emil')];
  const owner = { tenantId: 'default', person: `lti:${lti.registration.id}:dora` };
  await lti.services.shelf.save(owner, { object: fullObject, requestId: null });
  const html = await post(ada, { kind: 'new', name: 'From my shelf', from: 'shelf' });
  expect(itemsOf(html)).toHaveLength(1);
  expect(itemsOf(await post(ada, { kind: 'new', name: 'By hand', from: 'nothing' }))).toEqual([]);
  const shared = await post(ada, { kind: 'share', plan: idOf(html) });
  const [, link = ''] = /value="([^"]+\/plans\/[^"]+)"/.exec(shared) ?? [];
  const copy = await post(ben, { kind: 'copy', link });
  expect(idOf(copy)).not.toBe(idOf(html));
  expect(textOf(copy)).toContain('This is your copy of the plan.');
  await post(ben, { kind: 'remove', plan: idOf(html) }, 404);
  await post(ada, { kind: 'unshare', plan: idOf(html) });
  await post(ben, { kind: 'copy', link }, 404);
});

test('a plan leaves as a file of each format', async () => {
  const launch = await teacher('fay');
  const plan = await planFromText(launch);
  const file = (format: string) =>
    fetch(`${lti.url}/lti/picker/plans/file?${new URLSearchParams({ launch, plan, format })}`);
  for (const format of ['imscc', 'imscc11']) {
    const answer = await file(format);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename=.+\.imscc/);
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
  }
  expect(await (await file('md')).text()).toContain('[Python for everybody](<https://example.org/python>)');
  expect(await (await file('csv')).text()).toContain('Python for everybody,https://example.org/python,YouTube,90,en');
  expect((await file('exe')).status).toBe(404);
});
