import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/errors.ts';
import { bareObject, createFakeLearningService, fullObject } from '../../../fakes/learning-service.ts';
import { tester } from '../../../helpers/open-services.ts';
import { FRENCH } from '../../../services/searching/plan/plan-events.ts';
import { textOf } from '../../admin/read-page.ts';
import { type RunningLti, startLti } from '../start-lti.ts';
import { choiceOf, choose, readResponse, settings } from './choose.ts';

interface Line {
  readonly kind: string;
  readonly skill?: number;
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

describe('a plan', () => {
  test('names the skills, then gives cards for each, then ends', async () => {
    const [skills, ...lines] = await readPlan('We teach Python to teachers.');
    expect(skills?.kind).toBe('skills');
    expect(textOf(skills!.html!)).toContain('2 skills found');
    expect(skills?.html).toMatch(/<meter [^>]*value="1.00" aria-label="Share of the text about Python">/);
    expect(skills?.html).toContain('href="#plan-skill-1">Teaching<');
    expect(lines.map(({ kind }) => kind)).toEqual(['objects', 'objects', 'done']);
    expect(lines.map(({ skill }) => skill).sort()).toEqual([0, 1, undefined]);
    const html = lines.map((line) => line.html ?? '').join('');
    expect(html.match(/data-address="[^"]+"/g)).toEqual([
      'data-address="example.org/python"',
      'data-address="example.org/bare"',
    ]);
    expect(html).toContain('No further match – the best ones are listed under another skill.');
  });

  test('has cards that can be chosen', async () => {
    const launch = await lti.launchToken();
    const html = (await readPlan('We teach Python.', launch)).map((line) => line.html ?? '').join('');
    const [, handle] = /data-handle="([^"]+)"/.exec(html) ?? [];
    const { items } = await readResponse(lti, await choose(lti, launch, [{ ...choiceOf(lti), handle }]));
    expect(items).toHaveLength(1);
  });

  test('of a syllabus is grouped by its weeks, which may share an object', async () => {
    const taught: Record<string, string[]> = { Python: ['Python', 'Lists'], Tables: ['python', 'Tables'] };
    lti.services.local.tagger = async ({ text, lang }) => ({
      tokenizedText: '',
      lang,
      tags: taught[text.split('\n')[0]!.replace('Week 1: ', '')] ?? [],
    });
    const [skills, ...lines] = await readPlan(
      'All weeks.\nWeek 1: Python\nLists.\nWeek 2: Tables\nWeek 3: Rest\nWeek 4: Exam',
    );
    const html = skills!.html!;
    expect([...html.matchAll(/<section class="plan-week" aria-label="([^"]*)"/g)].map(([, title]) => title)).toEqual([
      'Week 1: Python',
      'Week 2: Tables',
      'Week 3: Rest',
      'Week 4: Exam',
    ]);
    expect(textOf(html)).toMatch(/Week 4: Exam\s+No match for this week/);
    expect(html.match(/Add this week/g)).toHaveLength(3);
    const headings = [...html.matchAll(/<h([23])[^>]*>([^<]*)</g)].map(([, level, words]) => `${level} ${words}`);
    expect(headings).toEqual([
      '2 3 skills found',
      '2 Week 1: Python',
      '3 Python',
      '2 Week 2: Tables',
      '3 Tables',
      '2 Week 3: Rest',
      '3 Rest',
      '2 Week 4: Exam',
    ]);
    expect(lines.map(({ skill }) => skill).sort()).toEqual([0, 1, 2, undefined]);
    expect(lines.map((line) => textOf(line.html ?? '').match(/Also in “[^”]*”/)?.[0])).toEqual([
      undefined,
      'Also in “Week 1: Python”',
      'Also in “Week 2: Tables”',
      undefined,
    ]);
  });

  test('quotes the text for each skill and marks the words', async () => {
    const text = 'Every week:\nwe learn how to <bake> good bread together, slowly, in pairs\nfor all';
    const start = text.indexOf('<bake>');
    lti.services.local.tagger = async ({ lang, spans }) => ({
      tokenizedText: '',
      lang,
      tags: ['Baking', 'Guessed'],
      ...(spans && { spans: [[start, start + 17], null] }),
    });
    const [skills] = await readPlan(text);
    expect(skills!.html!.match(/<q>.*<\/q>/g)).toEqual([
      '<q>we learn how to <mark>&lt;bake&gt; good bread</mark> together, slowly, in pairs</q>',
    ]);
  });

  test('marks omissions in a quote, and does not quote a line that is only the skill', async () => {
    lti.services.local.tagger = async ({ lang, text }) => ({
      tokenizedText: '',
      lang,
      tags: ['Bread', 'Baking'],
      spans: ['bake bread', 'Baking'].map((words) => [text.indexOf(words), text.indexOf(words) + words.length]),
    });
    const [skills] = await readPlan(
      'Baking\nFor all of us who like it: we bake bread, again and again and again, and pizza',
    );
    expect(skills!.html!.match(/<q>.*<\/q>/g)).toEqual([
      '<q>… us who like it: we <mark>bake bread</mark>, again and again and again…</q>',
    ]);
  });

  test('continues when one week cannot be read', async () => {
    lti.services.local.tagger = async ({ text, lang }) => {
      if (text.includes('Tables')) throw new AppError('UPSTREAM_UNREACHABLE', 'Away.');
      return { tokenizedText: '', lang, tags: ['Python'] };
    };
    const [skills] = await readPlan('Week 1: Python\nWeek 2: Tables');
    expect(skills!.html).toContain('Week 1: Python');
    expect(textOf(skills!.html!)).toMatch(/Week 2: Tables\s+Add this week/);
  });

  test('can be chosen whole only where several objects are accepted', async () => {
    const deepLinking = { ...settings, acceptMultiple: false };
    const [one] = await readPlan('We teach Python.', await lti.launchToken({ deepLinking }));
    const [many] = await readPlan('We teach Python.');
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
    const lines = await readPlan('We teach Python to teachers.');
    const failed = lines.find(({ skill }) => skill === 1);
    expect(textOf(failed!.html!)).toContain('The search service is busy.');
    expect(lines.find(({ skill }) => skill === 0)?.html).toContain('data-address=');
    expect(lines.at(-1)?.kind).toBe('done');
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
    const [skills, end] = await readPlan('Lorem ipsum.');
    expect(textOf(skills!.html!)).toContain('We recognised no skill');
    expect(end?.kind).toBe('done');
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
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"kind":"skills"');
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
  const html = (await readPlan('We teach Python.')).map((line) => line.html ?? '').join('');
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
