import { describe, expect, test } from 'vitest';
import { escoFiles, onetFiles, romeFiles } from './official-files.ts';
import { contentOf, folderWith, openSource, readAll, restsOf } from './read-all.ts';
import { writeZip } from './write-zip.ts';

describe('esco', () => {
  const open = (files: Record<string, string> = escoFiles, langs: string[] = []) =>
    openSource('esco', folderWith(files), { langs });

  test('joins the languages of a concept, its kind, description and links', async () => {
    const { concepts } = await contentOf(await open());
    expect(concepts['esco:skill.aaaa']).toEqual({
      id: 'esco:skill.aaaa',
      source: 'ESCO',
      kind: 'skill',
      labels: { en: 'manage musical staff' },
      altLabels: { en: ['manage music staff', 'direct "musical" staff', 'lead players'] },
      description: { en: 'Assign, and manage, tasks.' },
      links: { broader: ['esco:skill.S1.2'], related: ['esco:skill.bbbb'] },
    });
    expect(concepts['esco:skill.bbbb']).toEqual({
      id: 'esco:skill.bbbb',
      source: 'ESCO',
      kind: 'topic',
      labels: { en: 'beekeeping', fr: 'apiculture' },
      altLabels: { fr: ["élevage d'abeilles"] },
      links: { broader: ['esco:isced-f.0811'] },
    });
  });

  test('links occupations with skills and with the ISCO groups of the starter taxonomy, which are not read', async () => {
    const { concepts } = await contentOf(await open());
    expect(concepts['esco:occupation.1111']?.links).toEqual({
      broader: ['isco-08:2654'],
      essential: ['esco:skill.bbbb', 'esco:skill.aaaa'],
      optional: ['esco:skill.cccc'],
    });
    expect(Object.keys(concepts).filter((id) => !id.startsWith('esco:'))).toEqual([]);
    expect(concepts['esco:skill.S1.2']).toMatchObject({
      kind: 'domain',
      links: { broader: ['esco:skill.S1'] },
    });
  });

  test('an occupation is below its ISCO group also where only the labels are there', async () => {
    const { concepts } = await contentOf(
      await open({ 'occupations_en.csv': escoFiles['v1.1.1-en/occupations_en.csv'] }),
    );
    expect(concepts['esco:occupation.1111']?.links).toEqual({ broader: ['isco-08:2654'] });
  });

  test('rejects rows that name nothing, with line and reason', async () => {
    const { rejected, rows } = await contentOf(await open());
    expect(rejected).toEqual([
      'ESCO these files are not here: occupations_fr.csv, skillGroups_fr.csv, skillsHierarchy_fr.csv',
      'ESCO these files are not read: ISCOGroups_en.csv',
      'skills_en.csv:6 conceptUri is not an address of ESCO, http://data.europa.eu/esco/…',
      'skills_en.csv:7 preferredLabel is empty',
      'occupationSkillRelations.csv:5 relationType is neither essential nor optional',
    ]);
    expect(rows).toBe(19);
  });

  test('takes the wanted languages only, and covers only what it read', async () => {
    const source = await open(escoFiles, ['fr']);
    const { concepts } = await contentOf(source);
    expect(concepts['esco:skill.bbbb']?.labels).toEqual({ fr: 'apiculture' });
    expect(source.title).toBe('ESCO (fr)');
    expect(source.covers).toContain('labels:fr:skills');
    expect(source.covers.some((name) => name.startsWith('labels:en'))).toBe(false);
    await expect(open(escoFiles, ['fr', 'de'])).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
    await expect(open({ 'other.csv': 'a' })).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
  });

  test('takes the newest version of a language, by the number in the name of its folder', async () => {
    const row = (label: string) => `conceptUri,preferredLabel\nhttp://data.europa.eu/esco/skill/aaaa,${label}\n`;
    const { concepts } = await contentOf(
      await open({ 'v1.10/skills_en.csv': row('newest'), 'v1.9/skills_en.csv': row('older') }),
    );
    expect(concepts['esco:skill.aaaa']?.labels).toEqual({ en: 'newest' });
  });

  test('can be in a ZIP file', async () => {
    const folder = folderWith({ 'esco.zip': writeZip(escoFiles) });
    const zipped = await contentOf(await openSource('esco', `${folder}/esco.zip`));
    expect(zipped).toEqual(await contentOf(await open()));
  });
});

test('a run of links has at most a thousand, and its part is named after the first', async () => {
  const rows = Array.from({ length: 2_300 }, (_, i) => `A1101,${1_000 + i}`);
  const files = { ...romeFiles, 'correspondances.csv': `code_rome,code_ogr\n${rows.join('\n')}` };
  const { parts, concepts } = await contentOf(await openSource('rome', folderWith(files)));
  expect(parts['rome:A1101']?.filter((part) => part.startsWith('links:'))).toEqual([
    'links:essential:rome:1000',
    'links:essential:rome:2000',
    'links:essential:rome:3000',
  ]);
  expect(concepts['rome:A1101']?.links.essential).toHaveLength(2_300);
});

test('onet: occupations, their titles, and technologies below their groups', async () => {
  const { concepts, rejected } = await contentOf(await openSource('onet', folderWith(onetFiles)));
  expect(concepts['onet:11-1011.00']).toEqual({
    id: 'onet:11-1011.00',
    source: 'O*NET',
    kind: 'occupation',
    labels: { en: 'Chief Executives' },
    altLabels: { en: ['Chief Diversity Officer (CDO)', 'CDO', 'Bank President'] },
    description: { en: 'Determine "policies".' },
    links: { related: ['onet:15-1252.00'], optional: ['onet:tech-email-software'] },
  });
  expect(concepts['onet:15-1252.00']?.links).toEqual({
    optional: ['onet:tech-c-plus-plus', 'onet:tech-c-sharp', 'onet:tech-email-software'],
  });
  expect(concepts['onet:tech-c-plus-plus']).toMatchObject({
    kind: 'topic',
    labels: { en: 'C++' },
    links: { broader: ['onet:unspsc-43232402'] },
  });
  expect(concepts['onet:unspsc-43232402']).toMatchObject({ kind: 'domain' });
  expect(rejected).toEqual(['Occupation Data.txt:4 the O*NET-SOC Code is not of the form 11-1011.00']);
});

test('onet: only the occupations must be there', async () => {
  const { 'Occupation Data.txt': occupations, ...others } = onetFiles;
  const { concepts } = await contentOf(await openSource('onet', folderWith({ 'Occupation Data.txt': occupations })));
  expect(Object.keys(concepts)).toEqual(['onet:11-1011.00', 'onet:15-1252.00']);
  await expect(openSource('onet', folderWith(others))).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
});

describe('rome', () => {
  test('occupations below domains, titles below occupations, competences once, definitions whole', async () => {
    const { concepts, rejected } = await contentOf(await openSource('rome', folderWith(romeFiles)));
    expect(concepts['rome:A1101']).toEqual({
      id: 'rome:A1101',
      source: 'ROME',
      kind: 'occupation',
      labels: { fr: "Conduite d'engins agricoles" },
      altLabels: {},
      description: { fr: "Réalise l'abattage.\nPeut entretenir." },
      links: { broader: ['rome:A11'], essential: ['rome:100007', 'rome:24033'] },
    });
    expect(concepts['rome:A11']).toMatchObject({ kind: 'domain', links: { broader: ['rome:A'] } });
    expect(concepts['rome:100007']).toMatchObject({ kind: 'skill', labels: { fr: 'Techniques de soudage' } });
    expect(concepts['rome:24033']).toMatchObject({ kind: 'domain' });
    expect(concepts['rome:11987']).toMatchObject({
      altLabels: { fr: ['Abatteur(se) de bois'] },
      links: {
        broader: ['rome:A1201'],
        sameAs: ['esco:occupation.1111'],
        related: ['esco:occupation.2222'],
      },
    });
    expect(rejected).toEqual([
      'appellations.csv:3 code_ogr is not a whole number',
      'rome_to_esco_occupations.csv:7 no address of ESCO, http://data.europa.eu/esco/…, is in it',
    ]);
  });

  test('without the file of the mapping nothing of ESCO is in it, and what is there of it stays', async () => {
    const { 'rome_to_esco_occupations.csv': _, ...files } = romeFiles;
    const source = await openSource('rome', folderWith(files));
    const { concepts } = await contentOf(source);
    expect(JSON.stringify(concepts)).not.toContain('esco:');
    expect(source.covers.some((name) => 'links:esco:x'.startsWith(name))).toBe(false);
  });
});

describe.each([
  ['esco', escoFiles],
  ['onet', onetFiles],
  ['rome', romeFiles],
] as const)('%s', (format, files) => {
  test('resumes from every position with exactly the rest', async () => {
    const { wanted, rests } = await restsOf(await openSource(format, folderWith(files)));
    expect(wanted.length).toBeGreaterThan(8);
    expect(rests).toEqual(wanted);
  });

  test('gives every part once, of a concept, within what it covers', async () => {
    const source = await openSource(format, folderWith(files));
    const parts = (await readAll(source)).flatMap((item) => item.parts);
    const names = parts.map(({ key, part }) => `${key} ${part}`);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    expect(parts.filter(({ part }) => !source.covers.some((name) => part.startsWith(name)))).toEqual([]);
    expect((await readAll(source)).at(-1)?.done).toBe(source.total);
  });

  test.each([
    ['of Windows', '\r\n'],
    ['of old Macs', '\r'],
  ])('a file with a byte order mark, line ends %s or none at the end says the same', async (_of, lineEnd) => {
    const changed = Object.entries(files).map(([name, text]) => [
      name,
      `\uFEFF${text.trimEnd().replaceAll('\n', lineEnd)}`,
    ]);
    const plain = await contentOf(await openSource(format, folderWith(files)));
    const other = await contentOf(await openSource(format, folderWith(Object.fromEntries(changed))));
    expect(other).toEqual(plain);
  });

  test('refuses a file without a required column, and names that', async () => {
    const [[name, text] = ['', '']] = Object.entries(files);
    const renamed = { ...files, [name]: text.replace(/conceptUri|O\*NET-SOC Code|code_rome/, 'thing') };
    await expect(openSource(format, folderWith(renamed))).rejects.toMatchObject({
      code: 'IMPORT_INVALID',
      message: expect.stringContaining('"thing"'),
    });
  });
});
