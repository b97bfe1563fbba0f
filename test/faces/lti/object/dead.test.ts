import { afterEach, expect, test } from 'vitest';
import { DEFAULT_TENANT } from '../../../../src/domain/tenant.ts';
import { deadLink, linkCheck } from '../../../contract/store/link-check-records.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { resourceLinkLaunch } from '../start-lti.ts';
import { type OpenedObject, openObject, textOf } from './open-object.ts';

let opened: OpenedObject;
afterEach(() => opened.close());

const since = new Date('2026-11-20T10:00:00Z');
const object = { ...fullObject, url: 'https://example.org/dead' };
const TOLD = '“Week 1: Python” no longer opens (checked on Nov 20, 2026): removed by its publisher.';

async function openDead(choice: Parameters<typeof openObject>[0] = {}) {
  opened = await openObject({ object, ...choice });
  const check = deadLink(object.url, { reason: 'gone', since });
  await opened.services.store.linkChecks.saveLinkChecks([check]);
  return opened;
}

const audited = async () => {
  const all = { scope: null, action: null, period: { from: null, until: null }, search: '' } as const;
  return (await opened.services.store.audit.readAuditEntries(all, null, 100)).filter(({ action }) =>
    action.startsWith('dead-link'),
  );
};

test('shows learners of a dead link the reason and similar objects', async () => {
  await openDead({ completion: 'viewed' });
  const token = await opened.launch();
  const html = await opened.page('/object', token);
  expect(textOf(html)).toContain('This resource no longer opens');
  expect(textOf(html)).toContain(`Your teacher has been informed: ${TOLD}`);
  expect(html).not.toContain('<iframe');
  expect(textOf(html)).not.toContain('Mark as done');
  expect(textOf(await opened.part('/object/similar', token))).toMatch(
    /^Python for everybody .*equivalent, as far as we know/,
  );
  // Nobody has seen it.
  expect(await opened.services.completions.count(await opened.find())).toMatchObject({ opened: 0 });
});

test('lets instructors replace a dead object, and undo that', async () => {
  await openDead({ points: 7 });
  const token = await opened.teach();
  const shown = textOf(await opened.page('/object', token));
  // Before what was done with it.
  expect(shown.indexOf(TOLD)).toBeLessThan(shown.indexOf('Similar resources'));
  expect(shown.indexOf('Similar resources')).toBeLessThan(shown.indexOf('In this course'));
  const html = await opened.part('/object/similar', token);
  const [, handle] = /name="handle" value="([^"]+)"/.exec(html)!;
  await opened.send('/object/replace', token, { handle: handle! });
  const replaced = (await opened.find()).placement;
  expect(replaced).toMatchObject({ title: fullObject.title, object: fullObject, points: 7 });
  const page = await opened.page('/object', token);
  expect(textOf(page)).toContain('The previous link was broken and has been replaced.');
  expect(textOf(await opened.page('/object', await opened.launch()))).not.toContain('no longer be opened');
  expect((await opened.send('/object/undo', await opened.launch())).status).toBe(403);
  const undone = await opened.send('/object/undo', token, { placement: replaced.id });
  expect(textOf(await (await fetch(opened.url + undone.headers.get('location'))).text())).toContain(
    'The previous resource is back.',
  );
  const { placement } = await opened.find();
  expect(placement).toMatchObject({ title: 'Week 1: Python', object, points: 7 });
  // A new one, so that copies that look for the newest find it.
  expect(placement.id).not.toBe(opened.placementId);
  expect(placement.placedAt > replaced.placedAt).toBe(true);
  expect(await audited()).toMatchObject([
    {
      action: 'dead-link.replaced',
      target: fullObject.title,
      actor: { kind: 'teacher', name: 'Tess Teacher' },
    },
    { action: 'dead-link.undone', actor: { kind: 'teacher' } },
  ]);
  const again = await opened.send('/object/undo', token, { placement: placement.id });
  expect(again.headers.get('location')).toContain('said=changed');
});

test('opens an object that has moved at its new address', async () => {
  opened = await openObject({ object });
  const movedTo = 'https://www.youtube.com/watch?v=aaaaaaaaaaa';
  await opened.services.store.linkChecks.saveLinkChecks([linkCheck(object.url, { movedTo })]);
  const html = await opened.page('/object', await opened.launch());
  expect(html).toContain('aaaaaaaaaaa');
  expect(html).not.toContain('example.org/dead');
  expect((await opened.find()).placement.object.url).toBe(object.url);
});

test('lists the dead links of the course in the picker, and replaces them', async () => {
  await openDead();
  await opened.page('/object', await opened.launch());
  const token = await opened.launchToken();
  const html = await opened.part('/picker/dead', token);
  expect(textOf(html)).toContain('1 broken link in this course');
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(html)![1]!;
  const elsewhere = await opened.launchToken({ context: { id: 'course-2', label: null, title: null } });
  expect((await opened.part('/picker/dead', elsewhere)).trim()).toBe('');
  const fields = { link: field('link'), placement: field('placement'), handle: field('handle') };
  await opened.send('/picker/dead/replace', elsewhere, fields);
  expect((await opened.find()).placement.id).toBe(opened.placementId);
  const response = await opened.send('/picker/dead/replace', token, fields);
  expect(response.status).toBe(303);
  expect((await opened.find()).placement.object).toEqual(fullObject);
  expect((await opened.part('/picker/dead', token)).trim()).toBe('');
});

test('leaves out dead links that an administrator accepted', async () => {
  await openDead();
  await opened.page('/object', await opened.launch(resourceLinkLaunch));
  const { deadLinks } = opened.services;
  const admin = { kind: 'admin', id: 'ada', name: 'Ada', address: null } as const;
  const mend = await deadLinks.leave(admin, DEFAULT_TENANT, object.url);
  const token = await opened.launchToken();
  expect((await opened.part('/picker/dead', token)).trim()).toBe('');
  await deadLinks.undo(admin, DEFAULT_TENANT, mend.id);
  expect(textOf(await opened.part('/picker/dead', token))).toContain('no longer opens');
});
