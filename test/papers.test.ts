import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const papers = [
  'docs/accessibility.md',
  'docs/ai.md',
  'docs/security/asvs.md',
  'docs/security/hecvat.md',
  'docs/security/threat-model.md',
  'SECURITY.md',
];

/** Requirements of levels 1 and 2 of ASVS 5.0.0: how many each section has. Those of level 3 follow after them. */
const asvsSections: Readonly<Record<number, readonly number[]>> = {
  1: [2, 9, 11, 3, 2],
  2: [3, 3, 4, 1],
  3: [0, 2, 4, 6, 5, 0, 2],
  4: [3, 1, 2, 4],
  5: [1, 3, 2, 3],
  6: [3, 12, 4, 4, 5, 3, 0, 4],
  7: [3, 4, 2, 5, 2, 2],
  8: [2, 3, 1, 1],
  9: [3, 4],
  10: [2, 2, 4, 11, 5, 2, 3],
  11: [2, 3, 3, 4, 1, 1],
  12: [3, 2, 4],
  13: [1, 5, 2, 5],
  14: [2, 4, 3],
  15: [3, 3, 7, 0],
  16: [1, 5, 4, 3, 3],
  17: [1, 4, 2],
};

/** How many questions each part of HECVAT 4 has; those of the company come first. */
const hecvatParts = {
  GNRL: 9,
  COMP: 5,
  REQU: 8,
  DOCU: 7,
  ITAC: 18,
  THRD: 5,
  CONS: 9,
  APPL: 14,
  AAAI: 18,
  CHNG: 16,
  DATA: 23,
  DCTR: 16,
  FIDP: 11,
  PPPR: 15,
  HFIH: 4,
  VULN: 6,
  HIPA: 29,
  PCID: 12,
  OPEM: 10,
  PRGN: 5,
  PCOM: 4,
  PDOC: 3,
  PTHP: 2,
  PCHG: 2,
  PDAT: 8,
  PRPO: 13,
  INTL: 5,
  DRPV: 15,
  DPAI: 8,
  AIQU: 2,
  AIGN: 5,
  AIPL: 5,
  AISC: 5,
  AIML: 8,
  AILM: 7,
};

const count = (length: number) => Array.from({ length }, (_, i) => i + 1);
const rowsOf = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '));

describe.each(papers)('%s', (file) => {
  const text = readFileSync(file, 'utf8');

  test('names tests and files that there are', () => {
    const named = [...text.matchAll(/`([\w@.-]+(?:\/[\w.-]+)+|[\w-]+(?:\.full)?|[\w-]+\.(?:md|yml|json))`/g)].map(
      ([, name]) => name!,
    );
    const isThere = (name: string) =>
      [name, join('test', name), join('test', `${name}.test.ts`)].some((path) => existsSync(path));
    const paths = named.filter((name) => /\//.test(name) && !/^(?:application|text)\//.test(name));
    expect(paths.filter((name) => !isThere(name))).toEqual([]);
  });

  test('links to pages and headings that there are', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(#[^)]+)?\)/g)];
    const wrong = links.filter(([, path = '', anchor]) => {
      const target = path === '' ? file : join(dirname(file), path);
      if (!existsSync(target)) return true;
      return anchor !== undefined && !listAnchors(readFileSync(target, 'utf8')).includes(anchor.slice(1));
    });
    expect(wrong.map(([link]) => link)).toEqual([]);
  });

  test('calls nothing certified', () => {
    expect(text).not.toMatch(/\bcertified\b/i);
  });
});

test('every requirement of ASVS 5.0, levels 1 and 2, has one answer', () => {
  const wanted = Object.entries(asvsSections).flatMap(([chapter, sections]) =>
    sections.flatMap((most, at) => count(most).map((each) => `${chapter}.${at + 1}.${each}`)),
  );
  expect(wanted).toHaveLength(253);
  const answered = rowsOf('docs/security/asvs.md').flatMap((row) => expandAsvs(row.split('|')[1]!));
  expect(answered.toSorted()).toEqual(wanted.toSorted());
});

test('every question of HECVAT 4 has one answer', () => {
  const wanted = Object.entries(hecvatParts).flatMap(([part, most]) => count(most).map((each) => `${part}-${each}`));
  const answered = rowsOf('docs/security/hecvat.md').flatMap((row) => expandHecvat(row.split('|')[1]!));
  expect(answered.toSorted()).toEqual(wanted.toSorted());
});

/** `1.3.8–9, 1.3.11` is three requirements. */
function expandAsvs(cell: string): string[] {
  return [...cell.matchAll(/(\d+\.\d+)\.(\d+)(?:–(\d+))?/g)].flatMap(([, section, first, last = first]) =>
    count(Number(last) - Number(first) + 1).map((each) => `${section}.${Number(first) + each - 1}`),
  );
}

function expandHecvat(cell: string): string[] {
  return [...cell.matchAll(/([A-Z]{4})-(\d+)(?:–(\d+))?/g)].flatMap(([, part, first, last = first]) =>
    count(Number(last) - Number(first) + 1).map((each) => `${part}-${Number(first) + each - 1}`),
  );
}

/** As GitHub and the host write them. */
function listAnchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}
