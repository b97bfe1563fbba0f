import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createImportSources } from '../../../src/adapters/catalog/open-import-source.ts';
import type { ImportRequest } from '../../../src/ports/imports.ts';
import { contentOf } from './read-all.ts';
import { realFiles as files, serveFolder as serve } from './real-files.ts';

async function read(name: string, place: string, request: Partial<ImportRequest> & Pick<ImportRequest, 'format'>) {
  const location = place.startsWith('https:') ? place : join(files, name, place);
  const sources = createImportSources({ outbound: serve(join(files, name)) });
  return contentOf(await sources.open({ langs: [], location, ...request }));
}

/** What real publishers give, cut down to what is special in it: the objects by their addresses,
 *  and whatever is told of rows. */
const cases: readonly (readonly [
  name: string,
  place: string,
  format: ImportRequest['format'],
  objects: Readonly<Record<string, object>>,
  told?: readonly RegExp[],
])[] = [
  ['csv-blank-rows', 'courses.csv', 'objects', { 'https://x.example.org/1': { title: 'Arc welding' } }],
  [
    'csv-course-headers',
    'coursera.csv',
    'objects',
    {
      'https://www.coursera.example/learn/a': {
        title: 'Intro',
        description: 'About it.',
        provider: 'example-university',
        level: -1,
        keywords: ['Writing', 'Drama'],
      },
    },
    [/not read: "Course Rating"/],
  ],
  [
    'csv-course-headers',
    'edx.csv',
    'objects',
    {
      'https://www.edx.example/course/a': {
        title: 'Intro',
        description: 'Learn it',
        provider: 'edx',
        author: ['A. Example'],
        free: true,
        keywords: ['Education'],
        lang: 'en',
        learningTime: { value: 80, unit: 'h' },
      },
    },
  ],
  [
    'csv-course-headers',
    'udemy.csv',
    'objects',
    {
      'https://www.udemy.example/a/': {
        title: 'Intro banking',
        free: false,
        keywords: ['Business Finance'],
        learningTime: { value: 90, unit: 'min' },
      },
    },
    [/not read: "course_id"/],
  ],
  [
    'csv-durations',
    'courses.csv',
    'objects',
    {
      'https://x.example.org/1': { learningTime: { value: 80, unit: 'h' } },
      'https://x.example.org/2': { learningTime: { value: 37, unit: 'min' } },
      'https://x.example.org/3': { learningTime: { value: 20, unit: 'h' } },
      'https://x.example.org/4': { learningTime: { value: 320, unit: 'h' } },
      'https://x.example.org/5': { title: 'Self study' },
      'https://x.example.org/6': { title: 'No content yet' },
      'https://x.example.org/7': { learningTime: { value: 90, unit: 'min' } },
    },
    [/:6 learningTime is "self-paced": left out/, /:7 learningTime is "0\.0": left out/],
  ],
  ['csv-excel-sep-line', 'courses.csv', 'objects', { 'https://x.example.org/1': { title: 'Arc welding' } }],
  [
    'csv-free-by-price',
    'courses.csv',
    'objects',
    {
      'https://x.example.org/1': { free: true },
      'https://x.example.org/2': { free: false },
      'https://x.example.org/3': { free: true },
      'https://x.example.org/4': { title: 'D' },
    },
    [/:5 free is "n\/a": left out/],
  ],
  [
    'csv-jsonl-other-names',
    'courses.jsonl',
    'objects',
    { 'https://x.example.org/3': { title: 'Arc welding', keywords: ['metal'], lang: 'en' } },
  ],
  [
    'csv-plural-stops-import',
    'courses.csv',
    'objects',
    { 'https://oer.example.org/1': { title: 'Leveraging VR', lang: 'en', keywords: ['VR', 'Library'] } },
    [/:2 lang is "en, es": taken as en/],
  ],
  [
    'feed-guid-permalink',
    'feed.xml',
    'feed',
    { 'https://show.example.org/articles/seven': { picture: 'https://show.example.org/img/7.jpg' } },
  ],
  [
    'feed-relative-in-file',
    'feed.xml',
    'feed',
    { 'https://code.example.org/gulp/releases/tag/v3.9.0': { title: '3.9.0' } },
  ],
  [
    'feed-same-link',
    'feed.xml',
    'feed',
    {
      'https://show.example.org/shows/60.mp3': { title: 'Episode 60' },
      'https://show.example.org/shows/61.mp3': { title: 'Episode 61' },
      'https://show.example.org/shows/62.mp3': { title: 'Episode 62' },
    },
  ],
  [
    'feed-undeclared-latin1',
    'feed.xml',
    'feed',
    { 'https://show.example.org/1': { title: 'Últimas Notícias: São Paulo' } },
  ],
  [
    'lom-language-of-strings',
    'https://repo.example.org/oai',
    'oai',
    { 'https://enseignement.example.be/1': { lang: 'fr' } },
  ],
  [
    'lom-vcard-name',
    'https://repo.example.org/oai',
    'oai',
    { 'https://unit.example.org/1': { author: ['Camille Modele'] } },
  ],
  [
    'lrmi-amb',
    'amb.json',
    'lrmi',
    {
      'https://serlo.example.org/1': {
        title: 'Brüche kürzen',
        type: ['video'],
        lang: 'de',
        provider: 'serlo',
        free: true,
        keywords: ['Mathematik'],
      },
    },
  ],
  [
    'lrmi-courses-without-url',
    'https://school.example.org/page.html',
    'lrmi',
    {
      'https://school.example.org/page.html#/seo-basics': { title: 'SEO basics' },
      'https://school.example.org/page.html#/video-workflow': { title: 'Video workflow' },
      'https://school.example.org/page.html#/website-start': { title: 'Website start' },
    },
  ],
  [
    'lrmi-language-of-page',
    'https://school.example.org/page.html',
    'lrmi',
    { 'https://school.example.org/1': { lang: 'de' } },
  ],
  [
    'lrmi-line-breaks-in-json',
    'https://school.example.org/page.html',
    'lrmi',
    { 'https://school.example.org/1': { description: 'First line Second line with a tab' } },
  ],
  ['lrmi-line-breaks-in-json', 'https://school.example.org/page2.html', 'lrmi', { 'https://school.example.org/2': {} }],
  [
    'lrmi-provider-by-id',
    'https://school.example.org/page.html',
    'lrmi',
    { 'https://school.example.org/intro/': { provider: 'school-of-data', author: ['Ada Example'] } },
  ],
  [
    'lrmi-trailer-before-course',
    'https://school.example.org/page.html',
    'lrmi',
    {
      'https://school.example.org/page.html': {
        title: 'Intro to statistics',
        type: ['training'],
        learningTime: { value: 22, unit: 'h' },
        embed: 'https://www.youtube.com/embed/abcdefghijk',
      },
    },
  ],
  [
    'oai-eprints-relation',
    'https://repo.example.org/oai',
    'oai',
    { 'http://eprints.example.org/1/': {}, 'http://eprints.example.org/3780/': {} },
  ],
  [
    'oai-handles',
    'https://repo.example.org/oai',
    'oai',
    { 'https://doi.org/10.1000/182': {}, 'https://hdl.handle.net/1902.29/10438': {} },
  ],
  [
    'oai-lom-other-prefix',
    'https://repo.example.org/oai',
    'oai',
    { 'https://studip.example.org/lernmarktplatz/1': { title: 'Einführung Statistik' } },
  ],
  [
    'oai-trailing-garbage',
    'https://repo.example.org/oai',
    'oai',
    { 'https://repo.example.org/1': { title: 'Record 1' } },
  ],
  [
    'sitemap-on-other-host',
    'https://school.example.org/sitemap.xml',
    'lrmi',
    {},
    [/^https:\/\/school\.example\.org\/sitemap-1\.xml answered with the status 404/],
  ],
];

describe('what real publishers give', () => {
  for (const [name, place, format, objects, told = []] of cases)
    test(`${name}: ${place}`, async () => {
      const content = await read(name, place, { format });
      expect(content.objects).toMatchObject(objects);
      expect(Object.keys(content.objects).sort()).toEqual(Object.keys(objects).sort());
      expect(content.rejected).toEqual(told.map((each) => expect.stringMatching(each)));
    });

  test('a package of a standard in JSON is refused once, by its name', async () => {
    await expect(read('json-pretty-words', 'package.json', { format: 'objects' })).rejects.toThrow(
      /^package\.json is a single JSON document.*CASE package/,
    );
  });

  test.each([
    ['skills.csv', ['en'], { 'acme-skills:S1': { en: 'Arc welding' }, 'acme-skills:S2': { en: 'Soldering' } }],
    ['skills2.csv', [], { 'acme-skills:S1': { en: 'Welding', fr: 'Soudage' } }],
  ])('a taxonomy of plain columns: %s', async (place, langs, labels) => {
    const request = { format: 'taxonomy', dataset: 'Acme skills', langs } as const;
    const { concepts, rejected } = await read('taxonomy-plain-label', place, request);
    expect(Object.fromEntries(Object.entries(concepts).map(([id, concept]) => [id, concept.labels]))).toEqual(labels);
    expect(rejected).toEqual([]);
  });

  test('a taxonomy whose ids are addresses', async () => {
    const request = { format: 'taxonomy', dataset: 'WGU skills' } as const;
    const { concepts } = await read('taxonomy-url-as-id', 'rsd.csv', request);
    const id = 'de1ed4d0-78ce-4072-917b-1d35c41e37e0';
    expect(concepts[`wgu-skills:${id}`]).toMatchObject({
      uri: `https://osmt.example.edu/api/skills/${id}`,
      altLabels: { en: ['Innovation', 'Adoption'] },
    });
  });

  test.each(['text', 'csv'])('O*NET 30 and 31: %s', async (place) => {
    const { concepts, rejected } = await read('onet-30-31', place, { format: 'onet' });
    expect(concepts['onet:15-1254.00']).toMatchObject({
      altLabels: { en: ['HTML Programmer'] },
      links: { optional: ['onet:tech-django'] },
    });
    expect(concepts['onet:tech-django']).toMatchObject({
      kind: 'topic',
      links: { broader: ['onet:element-2.D.3.b'] },
    });
    expect(concepts['onet:element-2.D.3.b']?.labels.en).toBe('Web platform development software');
    expect(rejected).toEqual(['O*NET these files are not here: Related Occupations']);
  });

  test('ROME 4.0 under the names of France Travail', async () => {
    const { concepts, rejected } = await read('rome-4-official', '.', { format: 'rome' });
    expect(concepts['rome:A1101']).toMatchObject({
      kind: 'occupation',
      description: { fr: 'Réalise des travaux agricoles mécanisés.' },
      links: { broader: ['rome:A11'], essential: ['rome:100023', 'rome:100003'] },
    });
    expect(concepts['rome:A11']).toMatchObject({ kind: 'domain', links: { broader: ['rome:A'] } });
    expect(concepts['rome:11987']).toMatchObject({ kind: 'occupation', links: { broader: ['rome:A1101'] } });
    expect(concepts['rome:100023']).toMatchObject({ kind: 'skill', labels: { fr: 'Abattre un arbre' } });
    expect(concepts['rome:100003']).toMatchObject({ kind: 'topic' });
    expect(rejected).toEqual([expect.stringMatching(/^ROME these files are not read: .*riasec/)]);
  });
});
