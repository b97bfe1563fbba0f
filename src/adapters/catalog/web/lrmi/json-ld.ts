import type { Handler } from 'htmlparser2';
import { isSameLanguage } from '#adapters/catalog/language-code';
import { readMarkup } from '#adapters/catalog/markup';

export type JsonNode = Readonly<Record<string, unknown>>;

export interface JsonLd {
  /** The nodes that describe learning objects. */
  readonly nodes: readonly JsonNode[];
  /** How many texts are not JSON. */
  readonly broken: number;
  /** The language of the page, or of the context (`@language`). */
  readonly lang?: string | undefined;
  /** The `og:image` of the page (https://ogp.me). */
  readonly pagePicture?: string | undefined;
}

const MAX_NODES = 20_000;
const MAX_DEPTH = 12;

const learningTypes = new Set(
  (
    'Course LearningResource EducationalOccupationalProgram Quiz HowTo SyllabusResource VideoObject AudioObject ' +
    'PodcastEpisode Book Audiobook TechArticle ScholarlyArticle'
  ).split(' '),
);
const educational = ['learningResourceType', 'educationalUse', 'teaches', 'educationalAlignment', 'educationalLevel'];
/** Properties of lists and pages that may contain learning objects. */
const holders = ['@graph', 'mainEntity', 'mainEntityOfPage', 'itemListElement', 'item', 'hasPart', 'dataFeedElement'];

/** Reads the JSON-LD in a page. The context is ignored: words have their usual meanings.
 *  @param lang the preferred language of texts */
export function readPageJsonLd(html: string, page: string, lang?: string): JsonLd {
  const { scripts, pagePicture, pageLang } = readJsonLdScripts(html, page);
  return {
    ...collectJsonLd(scripts, lang ?? pageLang),
    pagePicture,
    ...(pageLang !== undefined && { lang: pageLang }),
  };
}

/** Reads a file of JSON-LD, or one with a document in each line. */
export function readJsonLd(text: string, lang?: string): JsonLd {
  const whole = collectJsonLd([text], lang);
  if (whole.broken === 0) return whole;
  const lines = collectJsonLd(
    text.split('\n').filter((line) => line.trim() !== ''),
    lang,
  );
  return lines.nodes.length > 0 ? lines : whole;
}

function readJsonLdScripts(html: string, place: string) {
  const scripts: string[] = [];
  let pagePicture: string | undefined;
  let pageLang: string | undefined;
  let isOpen = false;
  const handler: Partial<Handler> = {
    onopentag(name, { type = '', property, content, ...attributes }) {
      if (name === 'meta' && property === 'og:image') pagePicture ??= content;
      if (name === 'html') pageLang = attributes.lang ?? attributes['xml:lang'];
      isOpen = name === 'script' && /^\s*application\/ld\+json\b/i.test(type);
      if (isOpen) scripts.push('');
    },
    ontext(text) {
      if (isOpen) scripts.push(`${scripts.pop() ?? ''}${text}`);
    },
    onclosetag() {
      isOpen = false;
    },
  };
  readMarkup(html, handler, { place });
  return { scripts, pagePicture, pageLang };
}

function collectJsonLd(texts: readonly string[], preferredLang: string | undefined): JsonLd {
  const nodes: JsonNode[] = [];
  const ids = new Map<string, JsonNode>();
  let broken = 0;
  let remaining = MAX_NODES;
  let contextLang: string | undefined;
  function walk(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) for (const each of value) walk(each, depth + 1);
    else {
      const node = value as JsonNode;
      if (isLearningNode(node)) nodes.push(node);
      for (const name of holders) walk(node[name], depth + 1);
    }
  }
  for (const text of texts) {
    const parsed = parseJsonLdLoosely(stripJsonLdWrapper(text));
    if (parsed === undefined) broken++;
    contextLang ??= /"@language"\s*:\s*"([A-Za-z]{2,3})\b/.exec(text)?.[1];
    const tidied = tidyJsonLdNode(parsed, { lang: preferredLang ?? contextLang, ids, take: () => remaining-- > 0 }, 0);
    walk(tidied, 0);
  }
  const resolved = nodes.map((node) => resolveRefs(node, ids, 0) as JsonNode);
  return { nodes: resolved, broken, ...(contextLang !== undefined && { lang: contextLang }) };
}

/** Parses JSON, also with line breaks in texts, comments and trailing commas; else undefined. */
function parseJsonLdLoosely(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      const mended = text
        .replace(TEXT_OR_COMMENT, (piece) => (piece.startsWith('/') ? ' ' : mendJsonLd(piece)))
        .replace(TEXT_OR_COMMA, (piece) => (piece.startsWith(',') ? piece.slice(1) : piece));
      return JSON.parse(mended);
    } catch {
      return undefined;
    }
  }
}

const TEXT = String.raw`"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)`;
const TEXT_OR_COMMENT = new RegExp(String.raw`${TEXT}|\/\/[^\n]*|\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|$)`, 'g');
const TEXT_OR_COMMA = new RegExp(String.raw`${TEXT}|,\s*(?=[}\]])|,\s*$|;\s*$`, 'g');

function mendJsonLd(text: string): string {
  return text
    .replace(/\\(?!["\\/bfnrtu])/g, '')
    .replace(/\r?\n/g, '\\n')
    .replace(/\p{Cc}/gu, ' ');
}

interface TidyOptions {
  readonly lang: string | undefined;
  readonly ids: Map<string, JsonNode>;
  /** Counts a node; false if there are too many. */
  take(): boolean;
}

/** Writes `id` as `@id`, names without the prefix of schema.org, and texts in one language. */
function tidyJsonLdNode(value: unknown, options: TidyOptions, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH || !options.take()) return undefined;
  if (Array.isArray(value)) {
    const isWanted = (each: unknown) => isSameLanguage((each as JsonNode | null)?.['@language'], options.lang);
    const list = value.map((each) => tidyJsonLdNode(each, options, depth + 1));
    return list.some(isWanted) ? list.toSorted((a, b) => Number(isWanted(b)) - Number(isWanted(a))) : list;
  }
  const entries = Object.entries(value);
  const isTexts =
    entries.length > 0 &&
    entries.every(
      ([key, each]) => /^[a-z]{2,3}(?:-\w+)?$/i.test(key) && typeof each === 'string' && key !== 'url' && key !== 'id',
    );
  if (isTexts) return (entries.find(([key]) => isSameLanguage(key, options.lang)) ?? entries[0])?.[1];
  const node: Record<string, unknown> = {};
  for (const [key, each] of entries) {
    const name = key.replace(/^(?:schema:|sdo:|https?:\/\/schema\.org\/)/, '');
    const isAlias = (name === 'id' || name === 'type') && value[`@${name}` as keyof typeof value] === undefined;
    node[isAlias ? `@${name}` : name] = name === '@context' ? undefined : tidyJsonLdNode(each, options, depth + 1);
  }
  const id = node['@id'];
  if (typeof id === 'string' && entries.length > 1) options.ids.set(id, { ...options.ids.get(id), ...node });
  return node;
}

const MAX_REFERENCES = 3;

/** Replaces references by the nodes with their ids. */
function resolveRefs(value: unknown, ids: ReadonlyMap<string, JsonNode>, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth > MAX_REFERENCES) return value;
  if (Array.isArray(value)) return value.slice(0, 200).map((each) => resolveRefs(each, ids, depth));
  const node = value as JsonNode;
  const id = node['@id'];
  const isReference = depth > 0 && typeof id === 'string' && node.name === undefined;
  const whole = isReference ? { ...node, ...ids.get(id) } : node;
  return Object.fromEntries(Object.entries(whole).map(([name, each]) => [name, resolveRefs(each, ids, depth + 1)]));
}

function stripJsonLdWrapper(text: string): string {
  return text
    .replace(/^\s*(?:<!--|\/\/\s*<!\[CDATA\[|<!\[CDATA\[|\/\*\s*<!\[CDATA\[\s*\*\/|\uFEFF)/, '')
    .replace(/(?:-->|(?:\/\/\s*)?\]\]>|\/\*\s*\]\]>\s*\*\/)\s*$/, '');
}

function isLearningNode(node: JsonNode): boolean {
  const isNamed = node.name !== undefined || node.headline !== undefined;
  const isOfType = readJsonLdTypes(node).some((type) => learningTypes.has(type));
  return isOfType || (isNamed && educational.some((name) => node[name] !== undefined));
}

/** The types of a node, without the address of the vocabulary. */
export function readJsonLdTypes({ '@type': type }: JsonNode): string[] {
  const types = Array.isArray(type) ? type : [type];
  return types.filter((each) => typeof each === 'string').map((each) => each.replace(/^.*[/:#]/, ''));
}
