import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '../../../src/ports/clock.ts';
import { fullObject } from '../../fakes/learning-service.ts';
import { eraseData, type OpenedServices, openServices } from '../../helpers/open-services.ts';

let services: OpenedServices<Clock>;
beforeAll(async () => {
  services = await openServices();
});
afterAll(() => services.close());

const of = (person: string) => ({ tenantId: 'default', person });
const [ada, teacher, other] = [of('admin:ada'), of('lti:moodle:ada'), of('lti:moodle:bob')];
const selection = (id: string) => ({ id, objects: [{ ...fullObject, url: `https://a.example/${id}` }] });

test('a selection waits for the learning platforms that are linked, and for nobody else', async () => {
  const { selections, people } = services;
  await expect(selections.prepare(ada, selection('1'))).rejects.toMatchObject({ code: 'COURSE_UNLINKED' });
  await people.link(ada, (await people.createLinkCode(teacher)).code);
  expect(await selections.countCourses(ada)).toBe(1);
  expect(await selections.prepare(ada, selection('1'))).toBe(1);
  expect(await selections.find(teacher)).toEqual(selection('1'));
  for (const owner of [ada, other, { ...teacher, tenantId: 'other' }]) expect(await selections.find(owner)).toBeNull();
});

test('the next one takes its place, and only the one that was placed ends', async () => {
  const { selections } = services;
  await selections.prepare(ada, selection('2'));
  expect(await selections.find(teacher)).toEqual(selection('2'));
  await selections.end(teacher, '1');
  expect(await selections.find(teacher)).toEqual(selection('2'));
  await selections.end(teacher, '2');
  expect(await selections.find(teacher)).toBeNull();
  await selections.end(teacher, '2');
});

test('is gone with what is kept of the teacher', async () => {
  const { selections } = services;
  await selections.prepare(ada, selection('3'));
  expect(await selections.find(teacher)).toEqual(selection('3'));
  await eraseData(services, teacher);
  expect(await selections.find(teacher)).toBeNull();
});
