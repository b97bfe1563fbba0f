import { describe, expect, test } from 'vitest';
import type { LearningObject } from '../../../../src/domain/learning-object.ts';
import type { OperationHandlers } from '../../../../src/ports/learning-service.ts';
import type { LearningObjectHit } from '../../../../src/services/searching/discovery/results.ts';
import { createWeekFilter } from '../../../../src/services/searching/plan/plan.ts';
import { bareObject, createFakeLearningService } from '../../../fakes/learning-service.ts';
import { answersOf } from '../discovery/discovery-parts.ts';

const skills = [
  { label: 'pivot tables', weight: 1, week: 0 },
  { label: 'use spreadsheets', weight: 0.9, week: 0 },
  { label: 'descriptive statistics', weight: 1, week: 1 },
];
const [pivotTables] = skills as [(typeof skills)[number]];

type Tags = Readonly<Record<string, readonly string[]>>;

/** @param tags by the text, those with evidence in brackets */
function agree(
  tagsOf: Tags,
  object: Partial<LearningObject>,
  query: object = {},
  skill = pivotTables,
): Promise<boolean> {
  const tagger: OperationHandlers['tagger'] = async ({ text, lang, max }) => {
    const tags = (tagsOf[text] ?? []).slice(0, max);
    return {
      tokenizedText: '',
      lang,
      tags: tags.map((tag) => tag.replace(/[[\]]/g, '')),
      spans: tags.map((tag) => (tag.startsWith('[') ? [0, 1] : null)),
    };
  };
  const answers = answersOf({ ...createFakeLearningService(), tagger });
  const course = { lang: 'en', isLangRequired: true, skills, query: { types: [], ...query } };
  const item = { object: { ...bareObject, ...object } } as LearningObjectHit;
  return createWeekFilter(answers, course, {})(item, skill);
}

describe('whether an object belongs to the week of a skill', () => {
  test.each<[boolean, string, string, Tags]>([
    [true, 'its title names the skill', 'A pivot table in ten minutes', {}],
    [true, 'it has evidence for it', 'Excel', { 'Excel.\nMore': ['macros', '[pivot tables]'] }],
    [false, 'it is only a guess', 'Excel', { 'Excel.\nMore': ['macros', 'pivot tables'] }],
    [
      true,
      'it is about another skill of the week, too',
      'Excel',
      { 'Excel.\nMore': ['use spreadsheets', 'pivot tables'] },
    ],
    [
      false,
      'it is more about one of another week',
      'R',
      { 'R.\nMore': ['[descriptive statistics]', '[pivot tables]'] },
    ],
    [false, 'it mentions it after other things', 'R', { 'R.\nMore': ['[a]', '[b]', '[pivot tables]'] }],
    [true, 'its title is first of all about it', 'Pivots', { Pivots: ['Pivot table'] }],
    [false, 'its title is more about something else', 'Pivots', { Pivots: ['irrigation', 'pivot tables'] }],
  ])('is %s where %s', async (agrees, _, title, tags) => {
    expect(await agree(tags, { title, description: 'More' })).toBe(agrees);
  });

  test('one word in a title is not enough for a skill of one word', async () => {
    const ecosystems = { label: 'ecosystems', weight: 1, week: 0 };
    const [title, description] = ['The Kubernetes ecosystem', 'More'];
    const whole = `${title}.\n${description}`;
    expect(await agree({ [whole]: ['[Kubernetes]'] }, { title, description }, {}, ecosystems)).toBe(false);
    expect(await agree({ [whole]: ['a', 'ecosystem'] }, { title, description }, {}, ecosystems)).toBe(true);
  });

  test.each<[boolean, Partial<LearningObject>, object?]>([
    [true, { lang: 'en' }],
    [false, { lang: 'de' }],
    [true, {}],
    [false, { level: 0.5 }, { levelMax: -0.2 }],
    [true, { level: 0.1 }, { levelMax: -0.2 }],
    [false, { level: -0.5 }, { levelMin: 0.2 }],
    [false, { type: ['career profile'] }],
    [true, { type: ['career profile'] }, { types: ['career profile'] }],
    [true, { type: ['career profile', 'mooc'] }],
  ])('is %s of %j where %j is asked for', async (agrees, object, query) => {
    expect(await agree({}, { title: 'Pivot tables', ...object }, query)).toBe(agrees);
  });
});
