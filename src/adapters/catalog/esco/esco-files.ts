import type { SourceFile } from '../source-files.ts';

/** What the official files hold that are read. */
export type EscoTable =
  | 'skills'
  | 'occupations'
  | 'groups'
  | 'hierarchy'
  | 'broader-skills'
  | 'broader-occupations'
  | 'occupation-skills'
  | 'skill-skills';

export interface EscoFile {
  readonly table: EscoTable;
  /** Two-letter code; null for links, which have no language. */
  readonly lang: string | null;
  readonly file: SourceFile;
}

const tables: Readonly<Record<string, EscoTable>> = {
  skills: 'skills',
  occupations: 'occupations',
  skillgroups: 'groups',
  skillshierarchy: 'hierarchy',
  broaderrelationsskillpillar: 'broader-skills',
  broaderrelationsoccpillar: 'broader-occupations',
  occupationskillrelations: 'occupation-skills',
  skillskillrelations: 'skill-skills',
};

const withLanguage: ReadonlySet<EscoTable> = new Set(['skills', 'occupations', 'groups', 'hierarchy']);
const byFolder = new Intl.Collator('en', { numeric: true });

/** The files to read, labels before links. Where a table is there several times, of one language, it is the one of the
 *  newest version by the names of the folders. */
export function chooseEscoFiles(files: readonly SourceFile[], langs: readonly string[]): EscoFile[] {
  const chosen = new Map<string, EscoFile>();
  const sorted = files.toSorted((a, b) => byFolder.compare(a.path, b.path));
  for (const found of sorted.map(recognise)) {
    if (found === null) continue;
    if (found.lang !== null && langs.length > 0 && !langs.includes(found.lang)) continue;
    chosen.set(`${found.table}:${found.lang ?? ''}`, found);
  }
  const order = Object.values(tables);
  return [...chosen.values()].sort((a, b) => order.indexOf(a.table) - order.indexOf(b.table));
}

function recognise(file: SourceFile): EscoFile | null {
  const [, name = '', lang] = /^([a-z]+?)(?:_([a-z]{2}))?\.csv$/i.exec(file.name) ?? [];
  const table = tables[name.toLowerCase()];
  if (table === undefined) return null;
  if (!withLanguage.has(table)) return { table, lang: null, file };
  return lang === undefined ? null : { table, lang: lang.toLowerCase(), file };
}
