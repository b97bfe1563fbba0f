import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { planLimits } from '../../../../src/domain/plan.ts';
import { AppError } from '../../../../src/errors.ts';
import { startPlanContent } from '../../../../src/services/people/plans/plans.ts';
import { bareObject, createFakeLearningService, fullObject } from '../../../fakes/learning-service.ts';
import { tester } from '../../../helpers/open-services.ts';
import { FRENCH } from '../../../services/searching/plan/plan-events.ts';
import { textOf } from '../../admin/read-page.ts';
import { type RunningLti, startLti } from '../start-lti.ts';
import { choiceOf, choose, readResponse, settings } from './choose.ts';

interface Line {
  readonly kind: string;
  readonly html?: string;
  readonly text?: string;
}

let lti: RunningLti;
beforeAll(async () => {
  lti = await startLti();
});
afterAll(() => lti?.close());
beforeEach(() => Object.assign(lti.services.local, createFakeLearningService()));

const ask = (text: string, launch: string, more: RequestInit = {}) =>
  fetch(`${lti.url}/lti/picker/plan`, {
    method: 'POST',
    body: new URLSearchParams({ text }),
    headers: { Authorization: `Bearer ${launch}` },
    ...more,
  });

async function readPlan(text: string, launch?: string): Promise<Line[]> {
  const answer = await ask(text, launch ?? (await lti.launchToken()));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
  return (await answer.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const sectionsOf = ({ html = '' }: Line) =>
  [...html.matchAll(/<h3 id="section-[^"]*">([^<]*)</g)].map(([, title]) => title);

describe('a plan', () => {
  test('has a section for each skill, then the cards of each, then is stored', async () => {
    const launch = await lti.launchToken();
    const [draft, ...lines] = await readPlan('We teach Python to teachers.', launch);
    expect(sectionsOf(draft!)).toEqual(['Python', 'Teaching']);
    expect(draft?.html?.match(/aria-busy="true"/g)).toHaveLength(2);
    expect(draft?.html).not.toContain('<form');
    expect(lines.map(({ kind }) => kind)).toEqual(['section', 'section', 'done']);
    const drawn = lines.slice(0, 2).map(({ html = '' }) => html);
    expect(drawn.join('').match(/data-address="[^"]+"/g)).toEqual([
      'data-address="example.org/python"',
      'data-address="example.org/bare"',
    ]);
    expect(textOf(drawn.join(''))).toContain('Nothing found for “Teaching”.');
    const end = lines.at(-1)!;
    expect(sectionsOf(end)).toEqual(['Python', 'Teaching']);
    expect(textOf(end.html!)).toContain('The plan is ready and saved. Resources: 2; sections: 2.');
    expect(textOf(end.html!)).toContain('Teaching, “Teaching”: nothing found.');
    const idsIn = (html: string) => [...html.matchAll(/data-(?:section|item)="([^"]+)"/g)].map(([, id]) => id).sort();
    expect(idsIn(end.html!)).toEqual(idsIn(drawn.join('')));
  });

  test('has cards that can be chosen', async () => {
    const launch = await lti.launchToken();
    const { html = '' } = (await readPlan('We teach Python.', launch)).at(-1)!;
    const [, handle] = /data-handle="([^"]+)"/.exec(html) ?? [];
    const { items } = await readResponse(lti, await choose(lti, launch, [{ ...choiceOf(lti), handle }]));
    expect(items).toHaveLength(1);
  });

  test('of a syllabus has its weeks with what it says of them, which may share an object', async () => {
    const taught: Record<string, string[]> = { Python: ['Python', 'Lists'], Tables: ['python', 'Tables'] };
    lti.services.local.tagger = async ({ text, lang }) => ({
      tokenizedText: '',
      lang,
      tags: taught[text.split('\n')[0]!.replace('Week 1: ', '')] ?? [],
    });
    const text = 'All weeks.\nWeek 1: Python\nLists and loops.\nWeek 2: Tables\nWeek 3: Rest\nWeek 4: Exam';
    const end = (await readPlan(text)).at(-1)!;
    expect(sectionsOf(end)).toEqual(['Week 1: Python', 'Week 2: Tables', 'Week 3: Rest', 'Week 4: Exam']);
    const [, first, ...others] = end.html!.split('<section').map(textOf);
    expect(first).toContain('Lists and loops.');
    expect(first).not.toContain('Also in');
    expect(others.map((part) => part.match(/Also in “[^”]*”/)?.[0])).toEqual([
      'Also in “Week 1: Python”',
      'Also in “Week 1: Python”',
      undefined,
    ]);
    expect(others.at(-1)).toContain('No resources in this section yet.');
  });

  test('without weeks quotes the text for each skill', async () => {
    lti.services.local.tagger = async ({ lang, text }) => ({
      tokenizedText: '',
      lang,
      tags: ['Bread', 'Baking'],
      spans: ['<bake> bread', 'Baking'].map((words) => [text.indexOf(words), text.indexOf(words) + words.length]),
    });
    const [draft] = await readPlan(
      'Baking\nFor all of us who like it: we <bake> bread, again and again and again, and pizza',
    );
    const quote = '<p>… us who like it: we &lt;bake&gt; bread, again and again and again…</p>';
    expect(draft!.html!.split(quote)).toHaveLength(2);
  });

  test('names the skills with their pages', async () => {
    lti.services.local.tagger = async ({ text, lang }) => ({
      tokenizedText: '',
      lang,
      tags: text.includes('Python') ? ['Python'] : [],
      concepts: text.includes('Python') ? [{ uri: 'skilldock:python', taxonomy: 'skilldock' }] : [],
    });
    const end = (await readPlan('Week 1: First steps\nPython\nWeek 2: Rest')).at(-1)!;
    expect(end.html).toContain('href="/skills/skilldock:python"');
  });

  test('continues when one week cannot be read', async () => {
    lti.services.local.tagger = async ({ text, lang }) => {
      if (text.includes('Tables')) throw new AppError('UPSTREAM_UNREACHABLE', 'Away.');
      return { tokenizedText: '', lang, tags: ['Python'] };
    };
    const [draft] = await readPlan('Week 1: Python\nWeek 2: Tables');
    expect(sectionsOf(draft!)).toEqual(['Week 1: Python', 'Week 2: Tables']);
  });

  test('can be chosen whole only where several objects are accepted', async () => {
    const deepLinking = { ...settings, acceptMultiple: false };
    const one = (await readPlan('We teach Python.', await lti.launchToken({ deepLinking }))).at(-1);
    const many = (await readPlan('We teach Python.')).at(-1);
    expect(many?.html).toContain('data-take-all');
    expect(one?.html).not.toContain('data-take');
  });

  test('prefers objects in the language of the text, else in that of the launch', async () => {
    const { tenants } = lti.services;
    const { id, version, defaults } = await tenants.getTenant('default');
    await tenants.changeTenant(tester, id, { version, defaults: { ...defaults, match: 'strict' } });
    const { calls } = lti.services.local;
    const asked = () => calls.searches.splice(0).map(({ lang, prefer, match }) => [lang ?? prefer, match]);
    asked();
    await readPlan(FRENCH);
    expect(asked()[0]).toEqual(['fr', 'best-effort']);
    await readPlan('Python.', await lti.launchToken({ locale: 'fr' }));
    expect(asked()[0]).toEqual(['fr', 'best-effort']);
  });

  test('uses the preferred language of the tenant for a short text', async () => {
    const { tenants } = lti.services;
    const { id, version, defaults } = await tenants.getTenant('default');
    await tenants.changeTenant(tester, id, { version, defaults: { ...defaults, prefer: 'fr' } });
    const { calls } = lti.services.local;
    const asked = () => calls.searches.splice(0).map(({ lang, prefer }) => [lang, prefer]);
    asked();
    await readPlan('Python.');
    expect(asked()[0]).toEqual(['fr', undefined]);
    await readPlan('We teach Python to teachers, and what they do with it in their lessons.');
    expect(asked()[0]).toEqual(['en', undefined]);
  });

  test('reports a skill that failed, and continues', async () => {
    const failing = new AppError('UPSTREAM_THROTTLED', 'No more.', { retryAfterSeconds: 60 });
    const { searchMany } = lti.services.local;
    lti.services.local.searchMany = async (query, options) => {
      if (query.keywords === 'Teaching') throw failing;
      return searchMany(query, options);
    };
    const end = (await readPlan('We teach Python to teachers.')).at(-1)!;
    expect(end.kind).toBe('done');
    expect(textOf(end.html!)).toContain('Teaching: The search service is busy.');
    expect(end.html).toContain('data-address=');
  });

  test('that fails is reported in the language of the launch', async () => {
    lti.services.local.tagger = async () => {
      throw new AppError('UPSTREAM_UNREACHABLE', 'Away.');
    };
    const lines = await readPlan('Nous enseignons.', await lti.launchToken({ locale: 'fr' }));
    expect(lines).toEqual([
      {
        kind: 'problem',
        text: 'Le service de recherche est indisponible. Réessayez plus tard.',
      },
    ]);
  });

  test('that fails on an internal error is reported to the operator only', async () => {
    const mistake = new Error('secret details');
    lti.services.local.tagger = async () => {
      throw mistake;
    };
    const lines = await readPlan('We teach.');
    expect(lines).toEqual([{ kind: 'problem', text: expect.stringContaining('This search failed.') }]);
    expect(lti.services.problems).toContain(mistake);
  });

  test('of a text without skills explains which texts work', async () => {
    lti.services.local.tagger = async ({ lang }) => ({ tokenizedText: '', lang, tags: [] });
    expect(await readPlan('Lorem ipsum.')).toEqual([
      { kind: 'problem', text: expect.stringContaining('We recognised no skill') },
    ]);
  });

  test('that has no room is reported, with its objects', async () => {
    const launch = await lti.launchToken({ user: { id: 'collector', name: null, email: null } });
    const owner = { tenantId: 'default', person: `lti:${lti.registration.id}:collector` };
    const { plans, store } = lti.services;
    const plan = await plans.make(owner, startPlanContent('One', []));
    for (let i = 1; i < planLimits.plansOfPerson; i++) await store.plans.savePlan({ ...plan, id: `${i}` });
    const lines = await readPlan('We teach Python.', launch);
    expect(lines.at(-1)).toEqual({ kind: 'problem', text: expect.stringContaining('You have 200 plans') });
  });

  test('stops searching when the reader disconnects', async () => {
    const asked: string[] = [];
    let stopped = () => {};
    const isStopped = new Promise<void>((done) => {
      stopped = done;
    });
    lti.services.local.tagger = async ({ lang }) => ({
      tokenizedText: '',
      lang,
      tags: Array.from({ length: 12 }, (_, i) => `Skill ${i}`),
    });
    lti.services.local.searchMany = (query, options) => {
      asked.push(query.keywords);
      return new Promise((_, reject) => {
        options?.signal?.addEventListener('abort', () => {
          stopped();
          reject(options.signal?.reason);
        });
      });
    };
    const abort = new AbortController();
    const answer = await ask('Twelve skills.', await lti.launchToken(), { signal: abort.signal });
    const reader = answer.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"kind":"plan"');
    abort.abort();
    await isStopped;
    expect(asked.length).toBeLessThan(12);
  });

  test.each(['', '  \n ', 'x'.repeat(20_001)])('is not made from text %#', async (text) => {
    expect((await ask(text, await lti.launchToken())).status).toBe(400);
  });

  test('is refused to learners', async () => {
    expect((await ask('Python.', await lti.launchToken({ role: 'learner' }))).status).toBe(403);
  });
});

test('escapes objects, and marks saved ones', async () => {
  const nasty = { ...fullObject, title: '<img src=x onerror=alert(1)>' };
  lti.services.local.searchMany = async ({ page, max }) => ({
    requestId: 'request-1',
    content: [nasty, bareObject],
    page,
    itemsPerPage: max,
    totalItems: 2,
    hasMore: false,
    quality: 'A00',
  });
  const owner = { tenantId: 'default', person: `lti:${lti.registration.id}:teacher-1` };
  await lti.services.shelf.save(owner, { object: nasty, requestId: null });
  const html = (await readPlan('We teach Python.')).at(-1)!.html!;
  expect(html).not.toContain('<img src=x');
  expect(html.match(/data-save aria-pressed="\w+"/g)).toEqual([
    'data-save aria-pressed="true"',
    'data-save aria-pressed="false"',
  ]);
});

describe('the page', () => {
  const readPage = async (overrides: Parameters<RunningLti['launchToken']>[0]) => {
    const launch = await lti.launchToken(overrides);
    return (await fetch(`${lti.url}/lti/picker?${new URLSearchParams({ launch })}`)).text();
  };

  test('offers to begin with the text of the course', async () => {
    const html = await readPage({});
    expect(html).toContain('data-plan-course="Introduction to Python"');
  });

  test('offers no text where the platform sends none', async () => {
    expect(await readPage({ context: null })).not.toContain('data-plan-course');
  });
});
