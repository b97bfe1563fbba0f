import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assistantGrant } from '../../../contract/store/assistants.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { tester } from '../../../helpers/open-services.ts';
import { acme } from '../../../services/people/slack-samples.ts';
import { textOf } from '../../admin/read-page.ts';
import { type RunningLti, resourceLinkLaunch, startLti } from '../start-lti.ts';

const inSlack = (userId: string) => ({ tenantId: 'default', person: `slack:T1:${userId}` });
let lti: RunningLti;
beforeAll(async () => {
  lti = await startLti();
  await lti.services.slackInstallations.install(acme, null);
});
afterAll(() => lti?.close());

const teacher = (id: string, locale = 'en') => lti.launchToken({ locale, user: { id, name: null, email: null } });

/** As a script asks, or as a form without one. */
async function send(launch: string, fields: Record<string, string> | null, how: 'script' | 'form' = 'script') {
  const isGet = fields === null;
  const query = how === 'form' && isGet ? `?${new URLSearchParams({ launch })}` : '';
  const answer = await fetch(`${lti.url}/lti/picker/shelf/link${query}`, {
    method: isGet ? 'GET' : 'POST',
    ...(!isGet && { body: new URLSearchParams(how === 'form' ? { ...fields, launch } : fields) }),
    ...(how === 'script' && { headers: { Authorization: `Bearer ${launch}` } }),
  });
  return { status: answer.status, html: await answer.text() };
}

async function showSaved(launch: string, query = ''): Promise<string> {
  const headers = { Authorization: `Bearer ${launch}` };
  return (await fetch(`${lti.url}/lti/picker/shelf${query}`, { headers })).text();
}

async function setAssistants(hasAssistants: boolean): Promise<void> {
  const { version } = await lti.services.tenants.getTenant('default');
  await lti.services.tenants.changeTenant(tester, 'default', { version, hasAssistants });
}

const makeCode = async (userId: string) => (await lti.services.people.createLinkCode(inSlack(userId))).code;
const codeIn = (html: string) => /<code>([^<]+)<\/code>/.exec(html)?.[1] ?? '';

describe.each(['script', 'form'] as const)('sharing a shelf with Slack, by a %s', (how) => {
  test('works with a code from Slack, until it is unlinked', async () => {
    const userId = `U-${how}`;
    const launch = await teacher(`ada-${how}`);
    await lti.services.shelf.save(inSlack(userId), { object: fullObject, requestId: null });
    const code = await makeCode(userId);
    const linked = await send(launch, { action: 'link', code: code.toLowerCase() }, how);
    expect(linked.status).toBe(200);
    expect(textOf(linked.html)).toContain('Shared with your other accounts');
    expect(textOf(linked.html)).toContain('Linked. Both places now use the same shelf.');
    const shelf = await showSaved(launch);
    expect(shelf).toContain('data-address="example.org/python"');
    expect(textOf(shelf)).toContain('Shared with your other accounts');
    const unlinked = await send(launch, { action: 'unlink' }, how);
    expect(textOf(unlinked.html)).toContain('Unlinked.');
    expect(await showSaved(launch)).not.toContain('data-address=');
    expect(await lti.services.shelf.findSaved(inSlack(userId), [fullObject.url])).toHaveLength(1);
  });

  test('gives a code for an assistant, where the institution has them', async () => {
    const launch = await teacher(`cora-${how}`);
    const before = textOf((await send(launch, null, how)).html);
    expect(before).toContain('Connect an assistant');
    const { html } = await send(launch, { action: 'assistant' }, how);
    expect(html).toContain(`<code>${lti.url}/mcp</code>`);
    expect(html).toMatch(/<strong><code>[A-Z2-9]{4}-[A-Z2-9]{4}<\/code>/);
    await setAssistants(false);
    expect((await send(launch, null, how)).html).not.toContain('Connect an assistant');
    await setAssistants(true);
  });

  test('lists the assistants of the teacher, who may disconnect them, and nobody else', async () => {
    const { assistants } = lti.services.store;
    const person = `lti:${lti.registration.id}:dora-${how}`;
    const [registrationId, now] = [lti.registration.id, lti.services.clock.now()];
    const times = { createdAt: now, expiresAt: new Date(now.getTime() + 60_000) };
    const changes = { ...times, tenantId: 'default', adminId: null, registrationId, person, clientName: 'Tutor' };
    await assistants.addAssistantGrant(assistantGrant(person, changes));
    const other = await send(await teacher(`eric-${how}`), { action: 'disconnect', grant: person }, how);
    expect(other.html).not.toContain('Tutor');
    const launch = await teacher(`dora-${how}`);
    expect(textOf((await send(launch, null, how)).html)).toContain('Tutor, connected since');
    const { html } = await send(launch, { action: 'disconnect', grant: person }, how);
    expect(textOf(html)).toContain('The assistant is disconnected.');
    expect(html).not.toContain('connected since');
    expect(await assistants.findAssistantGrant(person)).toBeNull();
  });

  test('gives a code for Slack', async () => {
    const launch = await teacher(`ben-${how}`);
    const { html } = await send(launch, { action: 'get' }, how);
    expect(textOf(html)).toContain('choose “Link with your learning platform” and type this code');
    await lti.services.people.link(inSlack(`B-${how}`), codeIn(html));
    const shown = await send(launch, null, how);
    expect(textOf(shown.html)).toContain('Shared with your other accounts');
    expect(shown.html).not.toContain('data-is-changed');
  });

  test('explains why a code does not work, and keeps what was typed', async () => {
    const launch = await teacher(`eve-${how}`);
    const { status, html } = await send(launch, { action: 'link', code: '<b>"1"' }, how);
    expect(status).toBe(200);
    expect(html).toContain('value="&lt;b&gt;&quot;1&quot;"');
    expect(html).toContain('aria-invalid="true" aria-describedby="shelf-code-problem"');
    expect(textOf(html)).toContain('This code is not valid');
    expect(textOf((await send(launch, { action: 'link', code: ' ' }, how)).html)).toContain('Type the code');
  });
});

test('sends a page without a script, and a part of it to scripts', async () => {
  const launch = await teacher('page');
  expect((await send(launch, null, 'form')).html).toMatch(/^<!doctype html>/);
  expect((await send(launch, null)).html).not.toContain('<html');
});

test('limits wrong codes, with a message in the language of the reader', async () => {
  const launch = await teacher('guesser', 'fr');
  for (let i = 0; i < 10; i++) await send(launch, { action: 'link', code: `AAAA-AAA${i}` });
  const { html } = await send(launch, { action: 'link', code: await makeCode('G') });
  expect(textOf(html)).toContain('Trop d’essais.');
});

test('says that two shelves are too full to be one', async () => {
  const launch = await teacher('full');
  const owner = { tenantId: 'default', person: `lti:${lti.registration.id}:full` };
  const store = lti.services.store.shelf;
  for (let i = 0; i < 500; i++) {
    const address = `example.org/${i}`;
    const object = { ...fullObject, url: `https://${address}` };
    await store.addToShelf({ ...owner, address, object, requestId: null, savedAt: new Date(0) }, 500);
  }
  await lti.services.shelf.save(inSlack('F'), { object: fullObject, requestId: null });
  const { html } = await send(launch, { action: 'link', code: await makeCode('F') });
  expect(textOf(html)).toContain('500');
});

test('is offered with the saved objects where the tenant has Slack', async () => {
  const launch = await teacher('dora');
  expect(textOf(await showSaved(launch))).toContain('Your shelf in other places');
  for (const query of ['?tab=recent', '?tab=colleagues', '?page=1'])
    expect(textOf(await showSaved(launch, query))).not.toContain('Slack');
  const lone = await startLti();
  const alone = await lone.launchToken();
  const headers = { Authorization: `Bearer ${alone}` };
  const html = await (await fetch(`${lone.url}/lti/picker/shelf`, { headers })).text();
  await lone.close();
  expect(html).not.toContain('Slack');
});

test('is refused to learners', async () => {
  const launch = await lti.launchToken(resourceLinkLaunch);
  expect((await send(launch, { action: 'get' })).status).toBe(403);
});
