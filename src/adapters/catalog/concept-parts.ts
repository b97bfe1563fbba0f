import type { ConceptLink, ConceptPart, ConceptRecord } from './catalog-schema.ts';
import { conceptPart, conceptRecord } from './catalog-schema.ts';
import { cutTextAtWord } from './plain-text.ts';
import { type RowOutcome, refuseRow } from './tables/row-reader.ts';

// Limits far above the official taxonomies: 121 characters, 421 links of one kind, 20 KB a part.
const MAX_ID = 200;
const MAX_TARGET = 2_000;
const MAX_PART_LINKS = 2_000;
const MAX_PART_KB = 256;
/** A longer text is a sentence in the wrong column. */
export const MAX_LABEL = 500;
/** Labels in one language. The longest official list, in O*NET, has 2,750. */
const MAX_LABELS = 5_000;
const MAX_LINKS = 5_000;
const MAX_DESCRIPTION = 5_000;

/** Makes one part of a concept, or refuses the row with the reason.
 *  @param part name of the part, unique within the concept */
export function toConcept(id: string, part: string, body: Omit<ConceptPart, 'id'>): RowOutcome {
  if (!isConceptId(id))
    return refuseRow(
      `"${id.slice(0, 80)}" is not an id: write the taxonomy's prefix, a colon and a code, ${MAX_ID} characters at most`,
    );
  const badLinks = findBadConceptLinks(body.links);
  if (badLinks !== null) return refuseConcept(id, part, badLinks);
  const long = Object.values(body.labels ?? {}).find((label) => label.length > MAX_LABEL);
  if (long !== undefined)
    return refuseConcept(id, part, `the label "${long.slice(0, 40)}…" has more than ${MAX_LABEL} characters`);
  const { data, error } = conceptPart.safeParse(limitConcept(body));
  const [issue] = error?.issues ?? [];
  if (data === undefined) return refuseConcept(id, part, `${issue?.path.join(':') || 'the row'}: ${issue?.message}`);
  const kilobytes = Math.ceil(Buffer.byteLength(JSON.stringify(data)) / 1_024);
  if (kilobytes <= MAX_PART_KB) return { parts: [{ kind: 'concept', key: id, part, body: data }] };
  const size = `${formatCount(kilobytes)} KB, and ${MAX_PART_KB} are the most`;
  return refuseConcept(id, part, `its texts and links take ${size}: shorten them`);
}

const formatCount = (count: number): string => count.toLocaleString('en-US');

export const isConceptId = (text: string): boolean =>
  text.length <= MAX_ID && conceptRecord.shape.id.safeParse(text).success;

function findBadConceptLinks(links: ConceptPart['links'] = {}): string | null {
  for (const [link, targets] of Object.entries(links)) {
    if (targets.length > MAX_PART_LINKS)
      return `${link} names ${formatCount(targets.length)} concepts, and ${formatCount(MAX_PART_LINKS)} are the most`;
    const long = targets.find((target) => target.length > MAX_TARGET);
    if (long !== undefined)
      return `${link} names "${long.slice(0, 40)}…", which has more than ${formatCount(MAX_TARGET)} characters`;
  }
  return null;
}

export const refuseConcept = (id: string, part: string, reason: string): RowOutcome =>
  refuseRow(reason, isConceptId(id) ? { kind: 'concept', key: id, part } : undefined);

/** Makes a part with links of one kind. Its name is `prefix` and the first target. */
export function toConceptLinks(
  id: string,
  link: ConceptLink,
  { prefix, targets }: { readonly prefix: string; readonly targets: readonly string[] },
): RowOutcome {
  const distinct = [...new Set(targets)];
  return toConcept(id, `${prefix}${distinct[0] ?? ''}`, { links: { [link]: distinct } });
}

/** Drops empty, repeated and overlong labels, and the preferred label. */
export function toConceptAltLabels(
  lang: string,
  labels: readonly string[],
  preferred: string,
): Pick<ConceptPart, 'altLabels'> {
  const distinct = new Set(labels.map((label) => label.trim()));
  distinct.delete('');
  distinct.delete(preferred);
  const usable = [...distinct].filter(({ length }) => length <= MAX_LABEL);
  return usable.length === 0 ? {} : { altLabels: { [lang]: usable } };
}

const ESCO_URI = /https?:\/\/data\.europa\.eu\/esco\/([a-z-]+)\/([A-Za-z0-9.-]+)/;

/** ISCO groups begin with a letter in ESCO. */
const ISCO_CODE = /^C?(\d{1,4})$/;

/** The id of a concept from an ESCO address, which may follow other text in the cell:
 *  `esco:skill.<uuid>`, `esco:isced-f.0011`; ISCO groups are in the starter taxonomy. Null for
 *  anything else.
 *  @example readEscoConceptId('http://data.europa.eu/esco/isco/C2654') // 'isco-08:2654' */
export function readEscoConceptId(uri: string): string | null {
  const [, scheme = '', code = ''] = ESCO_URI.exec(uri) ?? [];
  if (scheme === '' || code === '') return null;
  return scheme === 'isco' ? readIscoConceptId(code) : `esco:${scheme}.${code}`;
}

/** The inverse of `readEscoConceptId`. Undefined for other taxonomies and for ISCO groups. */
export function writeEscoAddress(id: string): string | undefined {
  const [, scheme, code] = /^esco:([a-z-]+)\.(.+)$/.exec(id) ?? [];
  return scheme === undefined ? undefined : `http://data.europa.eu/esco/${scheme}/${code}`;
}

/** Reads the code of an ISCO group, `2654` or `C2654`. Null for anything else. */
export function readIscoConceptId(code: string): string | null {
  const [, digits] = ISCO_CODE.exec(code.trim()) ?? [];
  return digits === undefined ? null : `isco-08:${digits}`;
}

type Lists = Record<string, string[]>;

/** Merges parts in their order: the first label and description of each language counts (other
 *  labels become alternative ones), and the first kind, source and address; alternative labels and
 *  links are joined, within limits. Null without a label, a kind or a source: such parts only link
 *  a missing concept. */
export function mergeConceptParts(
  id: string,
  bodies: readonly Readonly<Record<string, unknown>>[],
): ConceptRecord | null {
  const parts = bodies.flatMap((body) => conceptPart.safeParse(body).data ?? []);
  const kind = findFirstPartValue(parts, 'kind');
  const source = findFirstPartValue(parts, 'source');
  const labels = mergeConceptTexts(parts, 'labels');
  if (kind === undefined || source === undefined || Object.keys(labels).length === 0) return null;
  const uri = findFirstPartValue(parts, 'uri');
  const description = mergeConceptTexts(parts, 'description');
  return limitConcept({
    id,
    source,
    kind,
    ...(uri !== undefined && { uri }),
    labels,
    altLabels: mergeConceptAltLabels(parts, labels),
    ...(Object.keys(description).length > 0 && { description }),
    links: mergeConceptLinks(parts, id),
  });
}

function findFirstPartValue<K extends 'kind' | 'source' | 'uri'>(
  parts: readonly ConceptPart[],
  field: K,
): ConceptPart[K] | undefined {
  return parts.find((part) => part[field] !== undefined)?.[field];
}

function mergeConceptTexts(parts: readonly ConceptPart[], field: 'labels' | 'description'): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const part of parts) for (const [lang, text] of Object.entries(part[field] ?? {})) merged[lang] ??= text;
  return merged;
}

function mergeConceptAltLabels(parts: readonly ConceptPart[], labels: Readonly<Record<string, string>>): Lists {
  const lists: Lists = {};
  for (const part of parts) {
    for (const [lang, label] of Object.entries(part.labels ?? {})) appendToList(lists, lang, [label]);
    for (const [lang, labels] of Object.entries(part.altLabels ?? {})) appendToList(lists, lang, labels);
  }
  return dropRepeats(lists, (lang) => labels[lang]);
}

function mergeConceptLinks(parts: readonly ConceptPart[], id: string): Partial<Record<ConceptLink, string[]>> {
  const lists: Lists = {};
  for (const part of parts)
    for (const [link, targets] of Object.entries(part.links ?? {})) appendToList(lists, link, targets);
  return dropRepeats(lists, () => id);
}

function appendToList(lists: Lists, name: string, values: readonly string[]): void {
  const list = lists[name];
  // Not spread into `push`: a part may have more labels than a call takes arguments.
  if (list === undefined) lists[name] = [...values];
  else for (const value of values) list.push(value);
}

/** Removes duplicates, one excluded value and empty lists. */
function dropRepeats(lists: Lists, except: (name: string) => string | undefined): Lists {
  const result: Lists = {};
  for (const [name, list] of Object.entries(lists)) {
    const distinct = new Set(list);
    distinct.delete(except(name) ?? '');
    if (distinct.size > 0) result[name] = [...distinct];
  }
  return result;
}

/** Shortens texts and lists, as all of them are in memory while an index is built. */
function limitConcept<T extends Pick<ConceptPart, 'altLabels' | 'description' | 'links'>>(body: T): T {
  const { altLabels, description, links } = body;
  return {
    ...body,
    ...(altLabels !== undefined && { altLabels: mapValues(altLabels, limitLabels) }),
    ...(description !== undefined && {
      description: mapValues(description, (text) => cutTextAtWord(text, MAX_DESCRIPTION)),
    }),
    ...(links !== undefined && { links: mapValues(links, (targets) => targets.slice(0, MAX_LINKS)) }),
  };
}

const limitLabels = (labels: readonly string[]): string[] =>
  labels.filter(({ length }) => length <= MAX_LABEL).slice(0, MAX_LABELS);

const mapValues = <T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
