import { describe, expect, test } from 'vitest';
import { AppError, type ErrorCode, errorKinds } from '../../../src/errors.ts';
import { describeLtiError } from '../../../src/faces/lti/lti-face.ts';
import { type locales, readLanguages } from '../../../src/faces/words/i18n.ts';

const languages = readLanguages();
const say = (error: AppError, locale: (typeof locales)[number] = 'en') =>
  describeLtiError(error, languages.translatorOf(locale), languages.has);

const codes = (Object.keys(errorKinds) as ErrorCode[]).filter((code) => code.startsWith('LTI_'));

describe('an error code of the protocol', () => {
  test.each(codes)('%s has its own texts in both languages', (code) => {
    const [en, fr] = [say(new AppError(code, 'x')), say(new AppError(code, 'x'), 'fr')];
    for (const { title, words, forAdministrators } of [en, fr])
      for (const text of [title, forAdministrators ?? '', ...words.map(({ text }) => text)])
        expect(text).toMatch(/^[^.]{4,}/);
    expect(JSON.stringify([en, fr])).not.toContain('ltiErrors.');
    expect(en.title).not.toBe(fr.title);
  });

  test('has a title that no other code has', () => {
    const titles = codes.map((code) => say(new AppError(code, 'x')).title);
    expect(new Set(titles).size).toBe(titles.length);
  });
});

test.each(Object.values(errorKinds))('an error without words of its own has those of its kind: %s', (kind) => {
  const code = (Object.keys(errorKinds) as ErrorCode[]).find(
    (name) => errorKinds[name] === kind && !name.startsWith('LTI_') && !/^LAUNCH_|^ROLE_/.test(name),
  )!;
  const { title, words, forAdministrators } = say(new AppError(code, 'the message itself'));
  expect(title).not.toContain('ltiErrors');
  expect(words).toEqual([{ heading: null, text: expect.not.stringContaining('ltiErrors') }]);
  expect(forAdministrators).toBeNull();
});

describe('the texts of an error', () => {
  const of = (data: Record<string, unknown>) => say(new AppError('LTI_DEPLOYMENT_UNKNOWN', 'x', { data }));

  test('are for learners and teachers where the role is unknown', () => {
    expect(of({}).words.map(({ heading }) => heading)).toEqual([
      'If you learn in this course',
      'If you teach in this course',
    ]);
  });

  test('are for one role where it is known', () => {
    for (const role of ['learner', 'instructor']) expect(of({ role }).words).toHaveLength(1);
    expect(of({ role: 'learner' }).forAdministrators).toBeNull();
    expect(of({ role: 'instructor' }).forAdministrators).toContain('deployment ID');
  });

  test('list the facts and problems', () => {
    const { facts } = of({ facts: { deploymentId: '7', issuer: 'https://lms.example' } });
    expect(facts).toEqual([
      { name: 'Deployment ID', value: '7' },
      { name: 'Issuer of the platform', value: 'https://lms.example' },
    ]);
  });
});
