/** What sources say of keys of the catalogues. */
export interface KeyUses {
  /** Keys that `t` is called with. */
  readonly called: ReadonlySet<string>;
  /** Texts anywhere that look like keys. */
  readonly mentioned: ReadonlySet<string>;
  /** Beginnings of keys whose end is computed. */
  readonly prefixes: ReadonlySet<string>;
}

const LITERAL = /'((?:[^'\\\n]|\\.)*)'/g;
const TEMPLATE = /`([\w.-]*)\$\{/g;
const KEY = /^[a-z]\w*(?:\.[\w-]+)+$/i;

/** Find the keys that sources use: whole ones, and the beginnings of computed ones.
 *  @param names of the catalogues' files */
export function findKeyUses(sources: readonly string[], names: readonly string[]): KeyUses {
  const called = new Set<string>();
  const mentioned = new Set<string>();
  const prefixes = new Set<string>();
  const isOurs = (text: string) => names.some((name) => text.startsWith(`${name}.`));
  for (const source of sources) {
    for (const argument of firstArguments(source, /\bt\(/g))
      for (const [, text] of argument.matchAll(LITERAL)) if (KEY.test(text!)) called.add(text!);
    for (const [, text] of source.matchAll(LITERAL)) if (isOurs(text!)) mentioned.add(text!);
    for (const [, text] of source.matchAll(TEMPLATE)) if (isOurs(text!)) prefixes.add(text!);
  }
  return { called, mentioned: new Set([...mentioned, ...called]), prefixes };
}

/** Names of notices: those of redirects, and those in addresses. */
export function readNotices(sources: readonly string[]): {
  readonly notices: ReadonlySet<string>;
  readonly prefixes: readonly string[];
} {
  const notices = new Set<string>();
  const prefixes: string[] = [];
  for (const source of sources) {
    for (const [, name] of source.matchAll(/[?&]notice=([\w-]+)/g)) notices.add(name!);
    for (const all of allArguments(source, /\bmakeRedirect\(/g)) {
      const notice = all[1];
      if (notice === undefined) continue;
      for (const [, name] of notice.matchAll(LITERAL)) if (/^[\w-]+$/.test(name!)) notices.add(name!);
      for (const [, prefix] of notice.matchAll(TEMPLATE)) prefixes.push(prefix!);
    }
  }
  return { notices, prefixes };
}

const SCHEMA_CALL = /\b(?:string|min|max|length|regex|refine|enum|url|email|literal|int|wholeNumberField)\(/g;

/** Names of problems: the messages of the forms' schemas. */
export function readProblems(sources: readonly string[]): ReadonlySet<string> {
  const problems = new Set<string>();
  for (const source of sources.filter((text) => text.includes("from 'zod'"))) {
    for (const all of allArguments(source, SCHEMA_CALL)) {
      const message = /^'([a-z]\w*)'$/i.exec(all.at(-1)?.trim() ?? '')?.[1];
      if (message !== undefined) problems.add(message);
    }
    for (const [, message] of source.matchAll(/\b(?:error|message): '(\w+)'/g)) problems.add(message!);
  }
  return problems;
}

function firstArguments(source: string, call: RegExp): string[] {
  return allArguments(source, call).map(([first = '']) => first);
}

/** The arguments of every call, as they are written. */
function allArguments(source: string, call: RegExp): string[][] {
  return [...source.matchAll(call)].map(({ index, 0: { length } }) => splitArguments(source, index + length));
}

const OPENING = '([{';
const CLOSING = ')]}';

/** From after an opening parenthesis to the one that closes it, split at its own commas. */
function splitArguments(source: string, start: number): string[] {
  const found: string[] = [];
  let begin = start;
  let depth = 0;
  let quote = '';
  for (let i = start; i < source.length; i++) {
    const char = source[i]!;
    if (quote !== '') {
      if (char === '\\') i++;
      else if (char === quote) quote = '';
    } else if (`'"\``.includes(char)) quote = char;
    else if (OPENING.includes(char)) depth++;
    else if (CLOSING.includes(char) && depth > 0) depth--;
    else if (depth === 0 && `${CLOSING},`.includes(char)) {
      found.push(source.slice(begin, i));
      if (char !== ',') return found;
      begin = i + 1;
    }
  }
  return found;
}
