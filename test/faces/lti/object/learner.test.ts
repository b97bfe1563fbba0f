import { afterEach, expect, test } from 'vitest';
import { bareObject } from '../../../fakes/learning-service.ts';
import { tester } from '../../../helpers/open-services.ts';
import { anyRegistration } from '../start-lti.ts';
import { awaitNextMillisecond, chosen, grading, type OpenedObject, openObject, textOf } from './open-object.ts';

let opened: OpenedObject;
afterEach(() => opened.close());

const VIDEO = 'https://www.youtube.com/watch?v=kqtD5dpn9C8';
const counts = async () => opened.services.completions.count(await opened.find());

test('shows the chosen object and a link to it', async () => {
  opened = await openObject();
  const html = await opened.page('/object', await opened.launch());
  const text = textOf(html);
  for (const part of ['Week 1: Python', 'Python for everybody', 'YouTube', 'An introduction.', '1 h 30'])
    expect(text).toContain(part);
  const [door] = /<a class="button large"[^>]*>/.exec(html)!;
  expect(door).toContain('href="https://example.org/python"');
  expect(door).toContain('target="_blank"');
  expect(door).toContain('rel="noopener noreferrer"');
  expect(html).not.toContain('<iframe');
});

test('embeds what may be framed, in the most private player', async () => {
  opened = await openObject({ object: { ...chosen.object, url: VIDEO } });
  const token = await opened.launch();
  const response = await fetch(`${opened.url}/lti/object?launch=${token}`);
  const [frame] = /<iframe[^>]*>/.exec(await response.text())!;
  expect(frame).toContain('src="https://www.youtube-nocookie.com/embed/kqtD5dpn9C8');
  expect(frame).toContain('title="Week 1: Python"');
  for (const attribute of ['sandbox="', 'loading="lazy"', 'referrerpolicy="', 'allow="'])
    expect(frame).toContain(attribute);
  const policy = response.headers.get('content-security-policy')!;
  expect(policy).toMatch(/frame-src [^;]*https:\/\/www\.youtube-nocookie\.com/);
  expect(policy).toMatch(/frame-ancestors [^;]*https:\/\/lms\.example\.org/);
});

test('counts opening the object once per learner', async () => {
  opened = await openObject();
  const token = await opened.launch();
  await opened.page('/object', token);
  await opened.page('/object', token);
  expect(await counts()).toEqual({ opened: 1, completed: 0 });
});

test('completes the object once, with one score', async () => {
  opened = await openObject();
  const token = await opened.launch({ grading });
  await opened.page('/object', token);
  const [first, second] = await Promise.all([opened.send('/object/done', token), opened.send('/object/done', token)]);
  for (const { status, headers } of [first, second]) {
    expect(status).toBe(303);
    expect(headers.get('location')).toBe(`/lti/object?launch=${encodeURIComponent(token)}`);
  }
  expect(await counts()).toEqual({ opened: 1, completed: 1 });
  expect(await opened.services.completions.readUnsentScores(await opened.find())).toMatchObject({
    waiting: 1,
  });
  const html = await opened.page('/object', token);
  expect(textOf(html)).toContain('Undo Your grade is sent after that.');
  expect(html).not.toContain('action="/lti/object/done"');
  await opened.send('/object/done/release', token);
  expect(textOf(await opened.page('/object', token))).toContain('Sending your grade to the gradebook…');
});

test('U23: takes back what was marked as done by mistake, and sends no points', async () => {
  opened = await openObject();
  const token = await opened.launch({ grading });
  await opened.sendByScript('/object/done', token);
  const html = await (await opened.sendByScript('/object/done/undo', token)).text();
  expect(textOf(html)).toMatch(/^Mark as done \(10 points\)/);
  expect(await counts()).toEqual({ opened: 1, completed: 0 });
  expect(await opened.services.completions.readUnsentScores(await opened.find())).toMatchObject({ waiting: 0 });
});

test('sends scripts the part of the page that has changed', async () => {
  opened = await openObject();
  const token = await opened.launch();
  const response = await opened.sendByScript('/object/done', token);
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(html).not.toContain('<html');
  expect(textOf(html)).toMatch(/^✓ You have finished/);
  expect(await opened.part('/object/done', token)).toBe(html);
});

test('mentions points only where the link is graded', async () => {
  opened = await openObject();
  const [ungraded, graded] = await Promise.all([opened.launch(), opened.launch({ grading })]);
  expect(textOf(await opened.page('/object', ungraded))).not.toContain('points');
  expect(textOf(await opened.page('/object', graded))).toContain('Mark as done (10 points)');
});

test('names the points on the button', async () => {
  opened = await openObject();
  const pages = [
    await opened.page('/object', await opened.launch({ grading })),
    await opened.page('/object', await opened.launch({ grading, locale: 'fr' })),
  ];
  expect(textOf(pages[0]!)).toContain('Mark as done (10 points)');
  expect(textOf(pages[1]!)).toContain('Marquer comme terminée (10 points)');
});

test('completes an embedded object by viewing when the page is shown', async () => {
  opened = await openObject({ completion: 'viewed', object: { ...chosen.object, url: VIDEO } });
  const text = textOf(await opened.page('/object', await opened.launch()));
  expect(text).toContain('You have finished');
  expect(text).toContain('Done as soon as you open it');
  expect(await counts()).toEqual({ opened: 1, completed: 1 });
});

test('completes a linked object by viewing when the link is followed', async () => {
  opened = await openObject({ completion: 'viewed' });
  const token = await opened.launch({ grading });
  const html = await opened.page('/object', token);
  expect(textOf(html)).toContain('Done as soon as you open it with “Open”. You get 10 points.');
  expect(html).toContain(`data-opens="${opened.placementId}"`);
  expect(html).not.toContain('action="/lti/object/done"');
  expect(await counts()).toEqual({ opened: 1, completed: 0 });
  const done = await (await opened.sendByScript('/object/opened', token)).text();
  expect(textOf(done)).toContain('Sending your grade to the gradebook…');
  expect(await counts()).toEqual({ opened: 1, completed: 1 });
  expect(await opened.page('/object', token)).not.toContain('data-opens');
});

test('does not complete an object by following its link where learners mark it', async () => {
  opened = await openObject();
  const token = await opened.launch();
  expect(await opened.page('/object', token)).not.toContain('data-opens');
  await opened.sendByScript('/object/opened', token);
  expect(await counts()).toEqual({ opened: 1, completed: 0 });
});

test('tells learners that they completed the former object', async () => {
  opened = await openObject({ completion: 'viewed', object: { ...chosen.object, url: VIDEO } });
  const token = await opened.launch();
  await opened.page('/object', token);
  await awaitNextMillisecond();
  await opened.replace({ object: bareObject, completion: 'viewed' });
  const text = textOf(await opened.page('/object', token));
  expect(text).toContain('You finished the resource that was here before.');
  expect(text).not.toContain('counts as done once');
});

test('reads the state of a score without noting anything', async () => {
  opened = await openObject();
  const token = await opened.launch();
  await opened.part('/object/done', token);
  expect(await counts()).toEqual({ opened: 0, completed: 0 });
});

test('shows others the object without completion', async () => {
  opened = await openObject({ completion: 'viewed' });
  const token = await opened.launch({ role: 'other' });
  const text = textOf(await opened.page('/object', token));
  expect(text).toContain('Week 1: Python');
  expect(text).not.toContain('Your progress');
  expect(text).not.toContain('In this course');
  await opened.send('/object/done', token);
  expect(await counts()).toEqual({ opened: 0, completed: 0 });
});

test('redirects others to the object from all requests about completion', async () => {
  opened = await openObject();
  for (const token of [await opened.teach(), await opened.launch({ role: 'other' })]) {
    const asked = { headers: { authorization: `Bearer ${token}` }, redirect: 'manual' } as const;
    expect((await fetch(`${opened.url}/lti/object/done`, asked)).status).toBe(303);
    expect((await opened.send('/object/done', token)).status).toBe(303);
    expect((await opened.sendByScript('/object/done', token)).status).toBe(303);
  }
});

test('does not complete an object that was replaced meanwhile', async () => {
  opened = await openObject();
  const token = await opened.launch();
  await opened.page('/object', token);
  await opened.replace({ object: bareObject, title: 'Another one' });
  const response = await opened.send('/object/done', token);
  const text = textOf(await (await fetch(opened.url + response.headers.get('location'))).text());
  expect(text).toContain('Your teacher has replaced the resource in the meantime.');
  expect(text).toContain('Another one');
  expect(await counts()).toEqual({ opened: 1, completed: 0 });
});

test('shows learners a page for a link without an object, and counts nothing', async () => {
  opened = await openObject();
  const none = { custom: {}, resourceLink: { id: 'empty', title: 'Soon', description: null } };
  const text = textOf(await opened.page('/object', await opened.launch(none)));
  expect(text).toContain('Soon');
  expect(text).toContain('Your teacher has not added anything here yet');
  expect(text).not.toContain('Choose a learning resource');
});

test('places the object that a link of another program names, once, as chosen by nobody', async () => {
  const asked: string[] = [];
  const find = async (tenantId: string, { url }: { readonly url: string }) => {
    asked.push(`${tenantId} ${url}`);
    return url === bareObject.url ? bareObject : null;
  };
  opened = await openObject({}, { deps: { cachedObjects: { find } } });
  const named = (url: string) => ({
    custom: { object: url },
    resourceLink: { id: `link to ${url}`, title: null, description: null },
  });
  for (let time = 0; time < 2; time++)
    expect(textOf(await opened.page('/object', await opened.launch(named(bareObject.url))))).toContain(
      bareObject.title,
    );
  expect(asked).toEqual([`default ${bareObject.url}`]);
  for (const url of ['https://none.example/', 'not an address'])
    expect(textOf(await opened.page('/object', await opened.launch(named(url))))).toContain('has not added anything');
});

test('does not show the object of another tenant', async () => {
  opened = await openObject();
  expect(textOf(await opened.page('/object', await opened.launch()))).toContain('Python');
  const { tenants, ltiRegistrations } = opened.services;
  const { id: tenantId } = await tenants.createTenant(tester, 'Another school');
  const registration = { ...anyRegistration, tenantId, clientId: 'another' };
  const { id: registrationId } = await ltiRegistrations.create(tester, registration);
  for (const launch of [opened.launch, opened.teach]) {
    const text = textOf(await opened.page('/object', await launch({ tenantId, registrationId })));
    expect(text).not.toContain('Python');
  }
});

test('is in French for a French launch', async () => {
  opened = await openObject();
  const html = await opened.page('/object', await opened.launch({ locale: 'fr-CA' }));
  expect(html).toContain('<html lang="fr">');
  expect(textOf(html)).toContain('Marquer comme terminée');
});

test('tells the height to all origins of the platform', async () => {
  opened = await openObject();
  const presentation = { target: 'iframe', returnUrl: 'https://school.example.net/return' };
  const html = await opened.page('/object', await opened.launch({ presentation }));
  expect(html).toContain('data-resize-subject="lti.frameResize"');
  expect(html).toContain('data-resize-targets="https://lms.example.org https://school.example.net"');
});

test('refuses the token of a deep-linking launch', async () => {
  opened = await openObject();
  const response = await fetch(`${opened.url}/lti/object?launch=${await opened.launchToken()}`);
  expect(response.status).toBe(401);
});
