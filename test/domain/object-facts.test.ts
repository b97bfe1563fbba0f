import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  editObjectFacts,
  findDayNumber,
  listObjectMarks,
  type ObjectFacts,
  readObjectFacts,
  toDayNumber,
  writeFactTexts,
} from '../../src/domain/object-facts.ts';
import { findLicenseRights, linkLicense, nameLicense, readLicense } from '../../src/domain/rights/licences.ts';

test.each([
  ['CC BY 4.0', 'CC-BY-4.0'],
  ['cc-by-nc-sa-3.0-fr', 'CC-BY-NC-SA-3.0-FR'],
  ['CC BY-SA', 'https://creativecommons.org/licenses/by-sa/'],
  ['CC0', 'CC0-1.0'],
  [
    'Under <a href="http://creativecommons.org/licenses/by/4.0/">CC</a>',
    'https://creativecommons.org/licenses/by/4.0/',
  ],
  ['https://spdx.org/licenses/MIT.html', 'MIT'],
  ['https://school.example/terms', 'https://school.example/terms'],
  ['GPL-3.0-only', 'GPL-3.0-only'],
  ['© 2024 A School', undefined],
  ['open access', undefined],
  ['free', undefined],
  ['javascript:alert(1)', undefined],
])('the licence of “%s” is %s', (text, license) => {
  expect(readLicense(text)).toBe(license);
});

test.each([
  ['CC-BY-NC-ND-4.0', { mayShare: true, mayAdapt: false, commercial: false }],
  ['https://creativecommons.org/licenses/by-nc-sa/3.0/fr/', { mayShare: true, mayAdapt: true, commercial: false }],
  ['https://creativecommons.org/publicdomain/mark/1.0/', { mayShare: true, mayAdapt: true, commercial: true }],
  ['etalab-2.0', { mayShare: true, mayAdapt: true, commercial: true }],
  ['https://school.example/terms', null],
  ['https://rightsstatements.org/vocab/InC/1.0/', null],
])('what %s allows', (license, rights) => {
  expect(findLicenseRights(license)).toEqual(rights);
});

test('a licence has a name and an address for readers', () => {
  expect(nameLicense('CC-BY-SA-3.0')).toBe('CC BY-SA 3.0');
  expect(nameLicense('https://creativecommons.org/licenses/by/4.0/deed.fr')).toBe('CC BY 4.0');
  expect(nameLicense('https://www.school.example/terms')).toBe('school.example');
  expect(linkLicense('CC-BY-SA-3.0')).toBe('https://creativecommons.org/licenses/by-sa/3.0/');
  expect(linkLicense('MIT')).toBe('https://spdx.org/licenses/MIT.html');
  expect(linkLicense('Elastic-2.0')).toBeNull();
});

test('what is stated is read, and what is not is left out', () => {
  expect(
    readObjectFacts({
      license: ['© A School', 'CC BY 4.0'],
      published: ['spring', '2025-02-30', '2025-03-01T10:00:00Z'],
      modified: ['2024'],
      teaches: ['first aid <https://skills.example/1>', 'https://skills.example/2', 'calling for help', ' '],
      accessibilityFeature: ['captions', 'captions', ''],
      accessMode: [],
    }),
  ).toEqual({
    license: 'CC-BY-4.0',
    published: '2025-03-01',
    modified: '2024',
    teaches: [
      { label: 'first aid', uri: 'https://skills.example/1' },
      { uri: 'https://skills.example/2' },
      { label: 'calling for help' },
    ],
    accessibilityFeature: ['captions'],
  });
});

const word = fc.stringMatching(/^[a-zA-Z][a-zA-Z ]{0,20}[a-z]$/);
const facts: fc.Arbitrary<ObjectFacts> = fc.record(
  {
    license: fc.constantFrom('CC-BY-4.0', 'MIT', 'https://school.example/terms'),
    published: fc.constantFrom('2020', '2020-02', '2020-02-29'),
    teaches: fc.array(
      fc.oneof(
        word.map((label) => ({ label })),
        word.map((label) => ({ uri: 'https://skills.example/a', label })),
      ),
      { minLength: 1, maxLength: 5 },
    ),
    accessibilityFeature: fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
    accessibilitySummary: word,
  },
  { requiredKeys: [] },
);

test('facts that are written as texts are read as they were', () => {
  const isSame = (given: ObjectFacts) => isDeepStrictEqual(readObjectFacts(writeFactTexts(given)), { ...given });
  fc.assert(fc.property(facts, isSame));
});

test('an edit changes some facts, and null removes one', () => {
  const before = { license: 'MIT', published: '2020' };
  expect(editObjectFacts(before, { license: null, modified: '2021' })).toEqual({ published: '2020', modified: '2021' });
});

test('marks say only what is stated', () => {
  expect(listObjectMarks({})).toEqual([]);
  expect(listObjectMarks({ license: 'CC-BY-ND-4.0', accessibilityFeature: ['transcript'] })).toEqual([
    'mayShare',
    'captions',
  ]);
  expect(listObjectMarks({ license: 'https://school.example/terms', accessibilityFeature: ['none'] })).toEqual([]);
});

test('the day of an object is that of its last change', () => {
  expect(toDayNumber('1970-01-02') - toDayNumber('1970-01-01')).toBe(1);
  expect(findDayNumber({ published: '2020-01-01', modified: '2021' })).toBe(toDayNumber('2021-01-01'));
  expect(findDayNumber({})).toBeUndefined();
});
