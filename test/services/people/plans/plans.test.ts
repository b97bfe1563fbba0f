import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import { planLimits, summarizePlan } from '../../../../src/domain/plan.ts';
import type { SearchAnswer } from '../../../../src/ports/learning-service.ts';
import type { PlanRecord } from '../../../../src/ports/store/store.ts';
import { startPlanContent } from '../../../../src/services/people/plans/plans.ts';
import type { StandingClock } from '../../../fakes/clock.ts';
import { bareObject } from '../../../fakes/learning-service.ts';
import { eraseData, type OpenedServices, openServices, tester } from '../../../helpers/open-services.ts';

const ada = { tenantId: 'default', person: 'lti:moodle:ada' };
const bob = { tenantId: 'default', person: 'lti:moodle:bob' };
const first = { page: 0, pageSize: 100 };

let services: OpenedServices<StandingClock>;
beforeEach(async () => {
  services = await openServices();
});
afterEach(() => services.close());

const object = (name: string, changes: Partial<LearningObject> = {}): LearningObject => ({
  ...bareObject,
  title: name,
  url: `https://example.org/${name}`,
  ...changes,
});
const makePlan = (...names: readonly string[]) =>
  services.plans.make(
    ada,
    startPlanContent(
      'SQL',
      names.map((name) => ({ object: object(name), requestId: null })),
    ),
  );
const outline = ({ sections }: Pick<PlanRecord, 'sections'>) =>
  sections.map(({ title, items }) => [title, ...items.map((item) => item.object.title)]);
const itemOf = ({ sections }: PlanRecord, title: string) =>
  sections.flatMap(({ items }) => items).find((item) => item.object.title === title)!;

/** Answers each search with these objects. */
function answerWith(...objects: readonly LearningObject[]): void {
  services.local.searchProvider = async (query): Promise<SearchAnswer> => answerOf(objects, query);
  services.local.searchMany = async (query): Promise<SearchAnswer> => answerOf(objects, query);
}
const answerOf = (content: readonly LearningObject[], query: { page: number; max: number }): SearchAnswer => ({
  requestId: 'r',
  content,
  page: query.page,
  itemsPerPage: query.max,
  totalItems: content.length,
  hasMore: false,
  quality: 'A00',
});

describe('a plan from a syllabus', () => {
  test('has its weeks in order, with the skills for which nothing was found', async () => {
    services.local.tagger = async ({ text }) => ({
      tags: text.includes('normal') ? ['normalisation'] : ['SQL'],
      tokenizedText: '',
      lang: 'en',
    });
    const found = object('queries');
    const search = async (query: { keywords: string; page: number; max: number }) =>
      answerOf(/sql/i.test(query.keywords) ? [found] : [], query);
    services.local.searchMany = search;
    const plan = await services.plans.makeFromText(ada, {
      text: 'Databases\n\nWeek 1: SQL queries\nSelect and join.\n\nWeek 2: Table design\nnormal forms',
      lang: 'en',
      locale: 'en',
      maxSkills: 6,
      perSkill: 2,
    });
    expect(plan.name).toBe('Databases');
    expect(outline(plan)).toEqual([['Week 1: SQL queries', 'queries'], ['Week 2: Table design']]);
    expect(summarizePlan(plan).uncovered.map(({ section, skill }) => [section.title, skill])).toContainEqual([
      'Week 2: Table design',
      'normalisation',
    ]);
    expect(await services.plans.get(ada, plan.id)).toEqual(plan);
  });
});

describe('a plan is changed', () => {
  test('in its sections and items, by their ids', async () => {
    const { id, sections } = await makePlan('a', 'b', 'c');
    const change = (...changes: Parameters<typeof services.plans.change>[2][]) =>
      services.plans.change(ada, id, ...changes);
    const section = sections[0]!.id;
    let plan = await change(
      { kind: 'add-section', title: 'Week 0', place: 0 },
      { kind: 'add-section', title: 'Week 2' },
    );
    expect(outline(plan)).toEqual([['Week 0'], ['SQL', 'a', 'b', 'c'], ['Week 2']]);
    const week2 = plan.sections[2]!.id;
    plan = await change(
      { kind: 'move-item', item: itemOf(plan, 'a').id, section: week2 },
      { kind: 'move-item', item: itemOf(plan, 'c').id, section, place: 0 },
      { kind: 'change-item', item: itemOf(plan, 'b').id, note: 'Read\r\nchapter 2 ', isGraded: true },
      { kind: 'change-section', section: week2, title: 'Joins', hours: 2.5 },
      { kind: 'move-section', section: week2, place: 0 },
      { kind: 'describe', name: 'SQL for all', expectedHours: 30 },
    );
    expect(outline(plan)).toEqual([['Joins', 'a'], ['Week 0'], ['SQL', 'c', 'b']]);
    expect(itemOf(plan, 'b')).toMatchObject({ note: 'Read\nchapter 2', isGraded: true });
    expect([plan.name, plan.expectedHours, plan.sections[0]!.hours]).toEqual(['SQL for all', 30, 2.5]);
    plan = await change(
      { kind: 'remove-item', item: itemOf(plan, 'c').id },
      { kind: 'remove-section', section: week2 },
    );
    expect(outline(plan)).toEqual([['Week 0'], ['SQL', 'b']]);
    expect(await services.plans.get(ada, id)).toEqual(plan);
  });

  test('with an object once in a section, however its address is spelled', async () => {
    const { id, sections } = await makePlan('a');
    const again = [object('a', { url: 'http://www.example.org/a/' }), object('b'), object('b')];
    const objects = again.map((each) => ({ object: each, requestId: null }));
    const plan = await services.plans.change(ada, id, { kind: 'add-items', section: sections[0]!.id, objects });
    expect(outline(plan)).toEqual([['SQL', 'a', 'b']]);
  });

  test('by several at once, without losing a change', async () => {
    const { id } = await makePlan();
    const titles = Array.from({ length: 8 }, (_, i) => `${i}`);
    await Promise.all(titles.map((title) => services.plans.change(ada, id, { kind: 'add-section', title })));
    const plan = await services.plans.get(ada, id);
    expect(plan.sections.map(({ title }) => title).toSorted()).toEqual(titles);
  });

  test.each([
    ['an empty name', { kind: 'describe', name: ' ' }],
    ['a text that is none', { kind: 'describe', name: 3 }],
    ['a part of an hour for the course', { kind: 'describe', expectedHours: 1.5 }],
    ['hours below zero', { kind: 'describe', expectedHours: -1 }],
    ['a long title', { kind: 'add-section', title: 'x'.repeat(planLimits.sectionTitle + 1) }],
    ['an item that it does not have', { kind: 'remove-item', item: 'x' }],
    ['a section that it does not have', { kind: 'remove-section', section: 'x' }],
  ])('never to %s', async (_, change) => {
    const plan = await makePlan('a');
    const refused = services.plans.change(ada, plan.id, change as never);
    await expect(refused).rejects.toMatchObject({ code: 'PARAMETERS_INVALID' });
    expect(await services.plans.get(ada, plan.id)).toEqual(plan);
  });
});

describe('an object is replaced', () => {
  const improve = (plan: PlanRecord, title: string, wish: 'another' | 'shorter' | 'free' | 'language', lang?: string) =>
    services.plans.improve(ada, { id: plan.id, item: itemOf(plan, title).id, wish, lang }, AbortSignal.timeout(10_000));

  test('by another one each time, and nothing else changes', async () => {
    answerWith(object('a'), object('b'), object('c'), object('d'));
    let plan = await makePlan('a', 'b');
    plan = await services.plans.change(ada, plan.id, { kind: 'change-item', item: itemOf(plan, 'a').id, note: 'Kept' });
    const once = await improve(plan, 'a', 'another');
    expect(outline(once.plan)).toEqual([['SQL', 'c', 'b']]);
    const twice = await improve(once.plan, 'c', 'another');
    expect(outline(twice.plan)).toEqual([['SQL', 'd', 'b']]);
    expect(itemOf(twice.plan, 'd').note).toBe('Kept');
    expect(await improve(twice.plan, 'd', 'another')).toEqual({ plan: twice.plan, replacement: null });
  });

  test('by one that is shorter, free, or in a language', async () => {
    const minutes = (value: number) => ({ learningTime: { value, unit: 'min' as const } });
    answerWith(
      object('long', minutes(90)),
      object('short', { ...minutes(5), lang: 'fr', price: { free: true } }),
      object('paid', { ...minutes(70), price: { free: false } }),
    );
    const start = (changes: Partial<LearningObject>) =>
      services.plans.make(ada, startPlanContent('P', [{ object: object('a', changes), requestId: null }]));
    for (const wish of ['shorter', 'free', 'language'] as const) {
      const { plan } = await improve(await start({ ...minutes(60), lang: 'en' }), 'a', wish, 'fr');
      expect([wish, outline(plan)]).toEqual([wish, [['P', 'short']]]);
    }
    expect((await improve(await start(minutes(5)), 'a', 'shorter')).replacement).toBeNull();
    // Where its length is unknown, the shortest there is.
    expect(outline((await improve(await start({}), 'a', 'shorter')).plan)).toEqual([['P', 'short']]);
  });
});

describe('a plan belongs to a person', () => {
  test('so that others neither read nor change it', async () => {
    const { id } = await makePlan('a');
    await expect(services.plans.get(bob, id)).rejects.toMatchObject({ code: 'PLAN_UNKNOWN' });
    await expect(services.plans.remove(bob, id)).rejects.toMatchObject({ code: 'PLAN_UNKNOWN' });
    expect((await services.plans.list(bob, first)).total).toBe(0);
  });

  test('and to those who share a shelf with them', async () => {
    const slack = { tenantId: 'default', person: 'slack:T1:U1' };
    const { id } = await makePlan('a');
    const { code } = await services.people.createLinkCode(ada);
    await services.people.link(slack, code);
    expect((await services.plans.list(slack, first)).items.map((plan) => plan.id)).toEqual([id]);
    expect((await services.plans.get(slack, id)).name).toBe('SQL');
  });

  test('who shares it by a link, which colleagues read and copy until it ends', async () => {
    const { id } = await makePlan('a');
    const token = (await services.plans.share(ada, id, true)).shareToken!;
    expect((await services.plans.share(ada, id, true)).shareToken).toBe(token);
    const copy = await services.plans.copy(bob, token);
    expect([copy.person, copy.shareToken, outline(copy)]).toEqual([bob.person, null, [['SQL', 'a']]]);
    await services.plans.change(bob, copy.id, { kind: 'describe', name: 'Bob’s' });
    expect((await services.plans.getShared(token, null)).name).toBe('SQL');
    const { id: other } = await services.tenants.createTenant(tester, 'Paris');
    await expect(services.plans.copy({ ...bob, tenantId: other }, token)).rejects.toMatchObject({
      code: 'PLAN_UNKNOWN',
    });
    await services.plans.share(ada, id, false);
    await expect(services.plans.getShared(token, null)).rejects.toMatchObject({ code: 'PLAN_UNKNOWN' });
    expect((await services.plans.share(ada, id, true)).shareToken).not.toBe(token);
  });

  test('and is erased with them', async () => {
    const { id } = await makePlan('a');
    await eraseData(services, ada);
    await expect(services.plans.get(ada, id)).rejects.toMatchObject({ code: 'PLAN_UNKNOWN' });
  });

  test('who has as many as there can be', async () => {
    const { plans } = services.store;
    const plan = await makePlan();
    for (let i = 1; i < planLimits.plansOfPerson; i++) await plans.savePlan({ ...plan, id: `${i}` });
    await expect(makePlan()).rejects.toMatchObject({ code: 'PLANS_TOO_MANY' });
  });
});
