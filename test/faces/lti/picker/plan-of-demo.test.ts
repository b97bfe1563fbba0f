import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DemoSection, demoCourse, demoSections, sectionWords } from '../../../../demo/course/demo-course.ts';
import type { Launch } from '../../../../src/domain/lti/launch.ts';
import { type Locale, readLanguages } from '../../../../src/faces/words/i18n.ts';
import { openStarterService } from '../../../adapters/local/starter-service.ts';
import { attributeOf, textOf } from '../../admin/read-page.ts';
import { type RunningLti, startLti } from '../start-lti.ts';
import { settings } from './choose.ts';

const { learning } = openStarterService();
const languages = readLanguages(resolve('demo/views/locales'));

let lti: RunningLti;
beforeAll(async () => {
  lti = await startLti();
  Object.assign(lti.services.local, learning);
});
afterAll(() => lti?.close());

interface Expected {
  readonly skills: RegExp;
  /** Titles that a teacher of this week leaves in. */
  readonly fitting: RegExp;
}

/** By section; the weeks of the whole course are the same. */
const expected: Record<'en' | 'fr', Record<DemoSection, Expected>> = {
  en: {
    spreadsheets: {
      skills: /spreadsheet|chart/,
      fitting: /\bexcel\b(?!.*(vba|macro))|spreadsheets/i,
    },
    statistics: {
      skills: /statistics|probability/i,
      fitting: /(?<!bio|econom\w*.)statistics$|statistical|probability/i,
    },
    python: { skills: /Python/, fitting: /python/i },
  },
  fr: {
    spreadsheets: {
      skills: /tableur|raccourcis clavier/,
      fitting: /^(?!.*(vba|macro|python)).*(excel|calc|tableur|tableaux|bureautique|data analytics)/i,
    },
    statistics: {
      skills: /statistique|probabilités/i,
      fitting: /statistique|probabilité|enquêtes|labo de données/i,
    },
    python: {
      skills: /Python/,
      fitting: /python|programmation$/i,
    },
  },
};

interface Section {
  readonly title: string;
  readonly skills: readonly string[];
  readonly titles: readonly string[];
}

/** The sections of the plan that the picker makes of a text: its weeks, else its skills. */
async function readPlan(text: string, launch: string): Promise<readonly Section[]> {
  const answer = await fetch(`${lti.url}/lti/picker/plan`, {
    method: 'POST',
    body: new URLSearchParams({ text }),
    headers: { Authorization: `Bearer ${launch}` },
  });
  const end: { kind: string; html: string } = JSON.parse((await answer.text()).trim().split('\n').at(-1)!);
  expect(end.kind).toBe('done');
  const [, ...sections] = end.html.split('<section class="plan-week"');
  return sections.map((html) => {
    const cards = html.match(/<[^>]*data-title="[^>]*>/g) ?? [];
    const skills = [...html.matchAll(/class="quiet plan-skill">(.*?)<\/p>/gs)].map(([, label]) =>
      textOf(label!).trim(),
    );
    return {
      title: textOf(/<h3[^>]*>([^<]*)</.exec(html)?.[1] ?? ''),
      skills: [...new Set(skills)],
      titles: cards.map((card) => attributeOf(card, 'data-title')!),
    };
  });
}

const launchFor = (locale: Locale, more: Partial<Launch> = {}) =>
  lti.launchToken({
    locale,
    context: { id: 'demo', label: demoCourse.label, title: courseTitle(locale) },
    ...more,
  } as Partial<Launch>);
const courseTitle = (locale: Locale) => demoCourse.titles?.[locale] ?? demoCourse.title;

function expectWeek({ skills, titles }: Omit<Section, 'title'>, { skills: wanted, fitting }: Expected) {
  expect(skills.length).toBeGreaterThan(0);
  expect(skills.filter((skill) => !wanted.test(skill))).toEqual([]);
  expect(titles.filter((title) => !fitting.test(title))).toEqual([]);
  expect(titles.length).toBeGreaterThan(1);
  expect(titles.length).toBeLessThan(10);
}

describe.each(['en', 'fr'] as const)('the demo course (%s) has nothing that a teacher takes out', (locale) => {
  const t = languages.translatorOf(locale);

  test.each(demoSections)('in the plan that the picker offers in the section of %s', async (section) => {
    const { title, text } = sectionWords(section, t);
    const launch = await launchFor(locale, { deepLinking: { ...settings, title, text } });
    const page = await (await fetch(`${lti.url}/lti/picker?${new URLSearchParams({ launch })}`)).text();
    const [offered = ''] = page.match(/<[^>]*data-plan-course="[^>]*>/) ?? [];
    const parts = await readPlan(attributeOf(offered, 'data-plan-course')!, launch);
    const week = { skills: parts.map((part) => part.title), titles: parts.flatMap((part) => part.titles) };
    expectWeek(week, expected[locale][section]);
  });

  test('in the plan of all weeks', async () => {
    const words = demoSections.map((section) => sectionWords(section, t));
    const all = words.map(({ title, text }, i) => `${t('demo.week', { number: i + 1, title })}\n${text}`);
    const weeks = await readPlan([courseTitle(locale), ...all].join('\n\n'), await launchFor(locale));
    expect(weeks.map(({ title }) => title)).toEqual(
      words.map(({ title }, i) => t('demo.week', { number: i + 1, title }).replaceAll('\u00a0', ' ')),
    );
    for (const [i, section] of demoSections.entries()) expectWeek(weeks[i]!, expected[locale][section]);
  });
});
