import { afterAll, beforeAll, expect, test } from 'vitest';
import { sealHandle } from '../../../../src/faces/object-view/handle.ts';
import { fullObject } from '../../../fakes/learning-service.ts';
import { chosen, grading, type OpenedObject, openObject, textOf } from '../object/open-object.ts';

let course: OpenedObject;
let teacher: string;
beforeAll(async () => {
  course = await openObject();
  teacher = await course.teach();
  await course.page('/object', teacher);
  const learner = await course.launch({ grading });
  await course.page('/object', learner);
  await course.send('/object/done', learner);
  await course.sendByScript('/object/feedback', learner, { verdict: 'broken' });
});
afterAll(() => course?.close());

const statusOf = async (path: string, launch: string) =>
  (await fetch(`${course.url}/lti${path}?${new URLSearchParams({ launch })}`)).status;

test('shows all resources of the course, what learners did with them, and which no longer open', async () => {
  const text = textOf(await course.page('/course', teacher));
  expect(text).toContain('Introduction to Python');
  expect(text).toMatch(/A link \(opens in a new tab\) YouTube · 1 h 30 min 10 1 1/);
  expect(text).toContain('Reported as broken by 1 learner');
});

test('lists what was chosen and not opened yet apart, and counts it', async () => {
  const launch = await course.deps.launches.getLaunch(await course.launchToken(), 'deep-linking');
  await course.services.placements.place(launch, [{ ...chosen, title: 'Never saved' }]);
  const text = textOf(await course.page('/course', teacher));
  expect(text).toContain('1 more chosen, not opened yet');
  expect(text).toMatch(/Never saved · YouTube/);
  expect(text).toMatch(/Resources 2 Points 20 Hours 3 /);
});

test('hours have a plus where a length is unknown', async () => {
  const launch = await course.deps.launches.getLaunch(await course.launchToken(), 'deep-linking');
  const { learningTime: _, ...object } = { ...fullObject, url: 'https://example.org/unknown-length' };
  const half = { ...fullObject, url: 'https://example.org/half', learningTime: { value: 40, unit: 'min' } } as const;
  await course.services.placements.place(launch, [
    { ...chosen, object },
    { ...chosen, object: half },
  ]);
  // 3 h 40 min.
  expect(textOf(await course.page('/course', teacher))).toMatch(/Resources 4 Points 40 Hours 3\+ /);
});

test('is the same as a table for spreadsheets', async () => {
  const csv = await course.page('/course.csv', teacher);
  const [head, row] = csv.replace('\u{feff}', '').split('\r\n');
  expect(head).toBe('Resource,Provider,Address,Points,Opened,Completed,Useful,Not useful,Reported as broken,Link');
  expect(row).toBe('A link,YouTube,https://example.org/python,10,1,1,0,0,1,Reported as broken');
});

test('is for instructors of this course only', async () => {
  const other = await course.teach({ context: { id: 'course-2', label: null, title: 'Another course' } });
  expect(await statusOf('/course', await course.launch())).toBe(403);
  expect(await statusOf('/course.csv', await course.launch())).toBe(403);
  const text = textOf(await course.page('/course', other));
  expect(text).toContain('Another course');
  expect(text).not.toContain('YouTube');
  const { link } = await course.find();
  const handle = sealHandle(
    { object: fullObject, requestId: null },
    { keyring: course.deps.keyring, tenantId: link.tenantId },
  );
  await course.send('/course/replace', other, { link: link.id, handle });
  expect((await course.find()).placement.id).toBe(course.placementId);
});

test('puts another resource behind a link, and takes that back', async () => {
  const { link } = await course.find();
  const object = { ...fullObject, url: 'https://example.org/other', title: 'Another one' };
  const handle = sealHandle({ object, requestId: null }, { keyring: course.deps.keyring, tenantId: link.tenantId });
  const response = await course.send('/course/replace', teacher, { link: link.id, handle });
  const { searchParams } = new URL(response.headers.get('location') ?? '', course.url);
  expect((await course.find()).placement.object.title).toBe('Another one');
  const html = await (await fetch(`${course.url}/lti/course?${searchParams}`)).text();
  expect(textOf(html)).toContain('“Another one” is in the course now. Undo');
  await course.send('/course/undo', teacher, { link: link.id });
  expect((await course.find()).placement.object.title).toBe(fullObject.title);
  // What stood there for a while is no resource of the course.
  expect(textOf(await course.page('/course', teacher))).not.toContain('Another one');
});
