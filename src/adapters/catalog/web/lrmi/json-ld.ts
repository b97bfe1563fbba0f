import type { Handler } from 'htmlparser2';
import { readMarkup } from '#adapters/catalog/markup';

/** A node of JSON-LD, as it was written. */
export type JsonNode = Readonly<Record<string, unknown>>;

export interface JsonLd {
  /** What may be something to learn with, in order. */
  readonly nodes: readonly JsonNode[];
  /** Blocks that are not JSON. */
  readonly broken: number;
  /** Address of the picture that the page gives of itself (`og:image`, https://ogp.me). */
  readonly pagePicture?: string | undefined;
}

const MAX_NODES = 20_000;
const MAX_DEPTH = 12;

const learning = new Set([
  ...['Course', 'LearningResource', 'EducationalOccupationalProgram', 'Quiz', 'HowTo', 'SyllabusResource'],
  ...['VideoObject', 'AudioObject', 'PodcastEpisode', 'Book', 'Audiobook', 'TechArticle', 'ScholarlyArticle'],
]);
/** Properties that mark a learning resource, whatever its type. */
const educational = [
  'learningResourceType',
  'educationalUse',
  'teaches',
  'educationalAlignment',
  'educationalLevel',
];
/** Where lists and pages keep what they are about. */
const holders = [
  '@graph',
  'mainEntity',
  'mainEntityOfPage',
  'itemListElement',
  'item',
  'hasPart',
  'dataFeedElement',
];

/** Finds learning objects in the JSON-LD of a page. The context is ignored: in practice nobody
 *  gives the words other meanings. */
export function readPageJsonLd(html: string, page: string): JsonLd {
  const { scripts, pagePicture } = readPageParts(html, page);
  return { ...collect(scripts), pagePicture };
}

/** The same for a JSON file. */
export function readJsonLd(text: string): JsonLd {
  return collect([text]);
}

function readPageParts(html: string, place: string) {
  const scripts: string[] = [];
  let pagePicture: string | undefined;
  let isOpen = false;
  const handler: Partial<Handler> = {
    onopentag(name, { type = '', property, content }) {
      if (name === 'meta' && property === 'og:image') pagePicture ??= content;
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
  return { scripts, pagePicture };
}

function collect(texts: readonly string[]): JsonLd {
  const nodes: JsonNode[] = [];
  let broken = 0;
  let left = MAX_NODES;
  function walk(value: unknown, depth: number): void {
    if (depth > MAX_DEPTH || left-- <= 0 || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) for (const each of value) walk(each, depth + 1);
    else {
      const node = value as JsonNode;
      if (isLearning(node)) nodes.push(node);
      for (const name of holders) walk(node[name], depth + 1);
    }
  }
  for (const text of texts) {
    try {
      walk(JSON.parse(bare(text)), 0);
    } catch {
      broken++;
    }
  }
  return { nodes, broken };
}

/** Without the comment marks that some put around it for old browsers. */
function bare(text: string): string {
  return text
    .replace(/^\s*(?:<!--|\/\/\s*<!\[CDATA\[|<!\[CDATA\[)/, '')
    .replace(/(?:-->|(?:\/\/\s*)?\]\]>)\s*$/, '');
}

function isLearning(node: JsonNode): boolean {
  const isNamed = node.name !== undefined || node.headline !== undefined;
  const isOfType = readJsonLdTypes(node).some((type) => learning.has(type));
  return isOfType || (isNamed && educational.some((name) => node[name] !== undefined));
}

/** Without the address of the vocabulary. */
export function readJsonLdTypes({ '@type': type }: JsonNode): string[] {
  const types = Array.isArray(type) ? type : [type];
  return types.filter((each) => typeof each === 'string').map((each) => each.replace(/^.*[/:#]/, ''));
}
