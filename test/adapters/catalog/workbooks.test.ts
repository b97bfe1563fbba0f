import { writeOds } from 'hucre/ods';
import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import type { ImportRequest } from '../../../src/ports/imports.ts';
import { contentOf, folderWith, openSource } from './read-all.ts';
import { writeZip } from './write-zip.ts';

const rows = [
  ['Courses of 2026', null, null, null],
  ['Course Name', 'URL', 'Duration', 'Is free?'],
  ['First aid', 'https://a.example/1', 1.5, true],
  [null, null, null, null],
  ['Welding', 'www.a.example/2', '2 hours', 'no'],
];
const write = { '.xlsx': writeXlsx, '.ods': writeOds };

async function read(name: string, content: Uint8Array, request: Partial<ImportRequest> = {}) {
  const folder = folderWith({ [name]: Buffer.from(content) });
  return contentOf(await openSource('objects', `${folder}/${name}`, request));
}

describe.each(['.xlsx', '.ods'] as const)('%s', (ending) => {
  const workbook = () =>
    write[ending]({
      sheets: [
        { name: 'Spring', rows },
        {
          name: 'Autumn',
          rows: [
            ['url', 'title'],
            ['https://b.example/', 'B'],
          ],
        },
      ],
    });

  test('the first sheet is read, whatever stands above its header, without its empty rows', async () => {
    const { objects, rejected, rows: count } = await read(`courses${ending}`, await workbook());
    expect(objects).toMatchObject({
      'https://a.example/1': { title: 'First aid', learningTime: { value: 2, unit: 'min' }, free: true },
      'https://www.a.example/2': { title: 'Welding', learningTime: { value: 2, unit: 'h' }, free: false },
    });
    expect(count).toBe(2);
    expect(rejected).toEqual([`courses${ending}:5 url is "www.a.example/2": taken as https://www.a.example/2`]);
  });

  test('another sheet is read by its name; one that is not there is refused', async () => {
    const { objects } = await read(`courses${ending}`, await workbook(), { sheet: 'Autumn' });
    expect(Object.keys(objects)).toEqual(['https://b.example/']);
    await expect(read(`courses${ending}`, await workbook(), { sheet: 'Winter' })).rejects.toMatchObject({
      code: 'IMPORT_INVALID',
    });
  });

  test('it may be in a ZIP file of its own', async () => {
    const inner = Buffer.from(await workbook());
    const { objects } = await read('courses.zip', writeZip({ [`courses${ending}`]: inner }));
    expect(Object.keys(objects)).toHaveLength(2);
  });

  test('one that is damaged is refused with what to do', async () => {
    const whole = Buffer.from(await workbook());
    whole.fill(0, 60, whole.length - 400);
    await expect(read(`courses${ending}`, whole)).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
  });
});

test('lengths that a spreadsheet keeps as a time of day are read', async () => {
  const sheet = {
    name: 'A',
    rows: [
      ['url', 'title', 'duration'],
      ['https://a.example/1', 'A', 0.0625],
    ],
  };
  const cells = new Map([['1,2', { value: 0.0625, style: { numFmt: 'h:mm' } }]]);
  const { objects } = await read('a.xlsx', await writeXlsx({ sheets: [{ ...sheet, cells }] }));
  expect(objects['https://a.example/1']).toMatchObject({ learningTime: { value: 90, unit: 'min' } });
});

test('shared and rich texts, numbers, errors and gaps of a workbook by hand', async () => {
  const content = writeZip({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    'xl/workbook.xml':
      '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r7"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r7" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/a.xml"/><Relationship Id="r8" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
    'xl/sharedStrings.xml':
      '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>url</t></si><si><t>title</t></si><si><r><t>Arc </t></r><r><t>welding</t></r></si></sst>',
    'xl/worksheets/a.xml':
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>minutes</t></is></c></row><row r="3"><c r="A3" t="str"><v>https://a.example/</v></c><c r="B3" t="e"><v>#REF!</v></c><c r="C3" t="s"><v>2</v></c><c r="D3"><v>45</v></c></row></sheetData></worksheet>',
  });
  const { objects } = await read('a.xlsx', content);
  expect(objects['https://a.example/']).toMatchObject({
    title: 'Arc welding',
    learningTime: { value: 45, unit: 'min' },
  });
});
