import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#errors';
import { projectRoot } from '#project-root';
import type { Translate } from './i18n.ts';

type ProblemText = { readonly text: string; readonly lang: string };

interface Template {
  readonly key: string;
  /** Texts between the values. */
  readonly chunks: readonly string[];
  readonly names: readonly string[];
}

/** Longer messages stay English: they quote what nobody reads. */
const MAX_CHARACTERS = 4_000;
let templates: readonly Template[] | null = null;

/** Translates a message of an import. Imports write English, as their messages go to logs, files
 *  and the store; `importProblems.json` has them as templates. A message with an unknown part stays
 *  English as a whole.
 *  @example translateImportProblem('a.csv is empty. Check that it is the right file.', t) */
export function translateImportProblem(message: string, t: Translate): ProblemText {
  const english = { text: message, lang: 'en' };
  const lang = t('importProblems.lang');
  if (lang === 'en' || message.length > MAX_CHARACTERS) return english;
  templates ??= readProblemTemplates();
  const text = translateProblemParts(message, templates, t);
  return text === null ? english : { text, lang };
}

function readProblemTemplates(): readonly Template[] {
  const json = readFileSync(join(projectRoot, 'views', 'locales', 'en', 'importProblems.json'), 'utf8');
  const { lang: _lang, ...texts } = JSON.parse(json) as Record<string, string>;
  const list = Object.entries(texts).map(([key, text]): Template => {
    const parts = text.split(/\{\{(\w+)\}\}/);
    return { key, chunks: parts.filter((_, at) => at % 2 === 0), names: parts.filter((_, at) => at % 2 === 1) };
  });
  const fixed = ({ chunks }: Template) => chunks.join('').length;
  // More fixed text makes a template more exact.
  return list.toSorted((a, b) => fixed(b) - fixed(a));
}

/** Translates parts with a blank or a semicolon between them; null if one is unknown. */
function translateProblemParts(message: string, list: readonly Template[], t: Translate): string | null {
  const separator = t('importProblems.lang') === 'fr' ? '\u00a0; ' : '; ';
  let remaining = message;
  let text = '';
  while (remaining !== '') {
    const match = findProblemTemplate(remaining, list);
    if (match === null) return null;
    const values = Object.entries(match.values).map(([name, value]) => [name, translateProblemValue(value, list, t)]);
    text += t(`importProblems.${match.key}`, {
      ...Object.fromEntries(values),
      interpolation: { skipOnVariables: true },
    });
    const [between = ''] = /^(?:; | |$)/.exec(remaining.slice(match.end)) ?? [];
    text += between === '; ' ? separator : between;
    remaining = remaining.slice(match.end + between.length);
  }
  return text;
}

/** Translates a value that is a template itself, such as the kind of a file or a reason. */
function translateProblemValue(value: string, list: readonly Template[], t: Translate): string {
  const match = findProblemTemplate(value, list);
  if (match === null || match.end !== value.length) return value;
  return t(`importProblems.${match.key}`, { ...match.values, interpolation: { skipOnVariables: true } });
}

interface Match {
  readonly key: string;
  readonly values: Readonly<Record<string, string>>;
  readonly end: number;
}

function findProblemTemplate(text: string, list: readonly Template[]): Match | null {
  for (const template of list) {
    const match = matchProblemTemplate(text, template);
    if (match !== null && /^(?:; | |$)/.test(text.slice(match.end, match.end + 2))) return match;
  }
  return null;
}

/** Matches the beginning of a text. Each value ends where the next chunk begins, so that the time
 *  grows with the length alone; a value at the end, where the text or a "; " ends it. */
function matchProblemTemplate(text: string, { key, chunks, names }: Template): Match | null {
  const [first = ''] = chunks;
  if (!text.startsWith(first)) return null;
  let end = first.length;
  const values: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const chunk = chunks[at + 1] ?? '';
    const isAtEnd = chunk === '' && at === names.length - 1;
    let next = text.indexOf(isAtEnd ? '; ' : chunk, end);
    if (next === -1 && isAtEnd) next = text.length;
    if (next <= end) return null;
    values[name] = text.slice(end, next);
    end = next + chunk.length;
  }
  return { key, values, end };
}

interface PageProblem {
  readonly problem: string;
  /** The full message; null if `problem` says everything. */
  readonly detail: ProblemText | null;
}

/** Describes why the page of a new object could not be read. Rethrows any other error. */
export function describeImportPageProblem(error: unknown, t: Translate): PageProblem {
  if (!(error instanceof AppError)) throw error;
  const { code, data, message } = error;
  if (code === 'RATE_LIMITED') return { problem: t(`objects.reading.readBy.${data.readBy}`), detail: null };
  if (code !== 'IMPORT_INVALID' && code !== 'SOURCE_UNAVAILABLE') throw error;
  const { reason } = data;
  const problem =
    reason === undefined
      ? t(`objects.reading.${code}`)
      : t('objects.reading.failed', { reason: t(`brokenLinks.reasons.${reason}`) });
  return { problem, detail: translateImportProblem(message, t) };
}
