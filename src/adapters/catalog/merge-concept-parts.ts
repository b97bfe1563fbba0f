import { type ConceptLink, type ConceptPart, type ConceptRecord, conceptPart } from './catalog-schema.ts';
import { cutTextAtWord } from './plain-text.ts';

type Lists = Record<string, string[]>;

/** The concept that all its parts make up, in their order: labels and descriptions of the first part that has the language
 *  (another label of that language counts as an alternative one), kind, source and address of the first that has them, all
 *  alternative labels and links, within bounds. A part that does not fit the schema is skipped. Null where the parts have no
 *  label, no kind or no source: they only link a concept that does not exist. */
export function mergeConceptParts(
  id: string,
  bodies: readonly Readonly<Record<string, unknown>>[],
): ConceptRecord | null {
  const parts = bodies.flatMap((body) => conceptPart.safeParse(body).data ?? []);
  const kind = firstOf(parts, 'kind');
  const source = firstOf(parts, 'source');
  const labels = mergeTexts(parts, 'labels');
  if (kind === undefined || source === undefined || Object.keys(labels).length === 0) return null;
  const uri = firstOf(parts, 'uri');
  const description = mergeTexts(parts, 'description');
  return boundConcept({
    id,
    source,
    kind,
    ...(uri === undefined ? {} : { uri }),
    labels,
    altLabels: mergeAltLabels(parts, labels),
    ...(Object.keys(description).length === 0 ? {} : { description }),
    links: mergeLinks(parts, id),
  });
}

function firstOf<K extends 'kind' | 'source' | 'uri'>(
  parts: readonly ConceptPart[],
  field: K,
): ConceptPart[K] | undefined {
  return parts.find((part) => part[field] !== undefined)?.[field];
}

function mergeTexts(parts: readonly ConceptPart[], field: 'labels' | 'description'): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const part of parts)
    for (const [lang, text] of Object.entries(part[field] ?? {})) merged[lang] ??= text;
  return merged;
}

function mergeAltLabels(parts: readonly ConceptPart[], labels: Readonly<Record<string, string>>): Lists {
  const lists: Lists = {};
  for (const part of parts) {
    for (const [lang, label] of Object.entries(part.labels ?? {})) append(lists, lang, [label]);
    for (const [lang, more] of Object.entries(part.altLabels ?? {})) append(lists, lang, more);
  }
  return withoutRepeats(lists, (lang) => labels[lang]);
}

function mergeLinks(parts: readonly ConceptPart[], id: string): Partial<Record<ConceptLink, string[]>> {
  const lists: Lists = {};
  for (const part of parts)
    for (const [link, targets] of Object.entries(part.links ?? {})) append(lists, link, targets);
  return withoutRepeats(lists, () => id);
}

function append(lists: Lists, name: string, more: readonly string[]): void {
  const list = lists[name];
  // Not spread into `push`: a part may have more of them than a call takes arguments.
  if (list === undefined) lists[name] = [...more];
  else for (const each of more) list.push(each);
}

/** Each list without duplicates and without the named value; lists that are empty then are left out. */
function withoutRepeats(lists: Lists, except: (name: string) => string | undefined): Lists {
  const kept: Lists = {};
  for (const [name, list] of Object.entries(lists)) {
    const distinct = new Set(list);
    distinct.delete(except(name) ?? '');
    if (distinct.size > 0) kept[name] = [...distinct];
  }
  return kept;
}

/** Characters. Longer ones are sentences that got into the wrong column. */
export const MAX_LABEL = 500;

/** In one language. The longest list in the official taxonomies, in O*NET, has 2,750. */
const MAX_LABELS = 5_000;

/** Of one kind. */
const MAX_LINKS = 5_000;

const MAX_DESCRIPTION = 5_000;

type Bounded = Pick<ConceptPart, 'altLabels' | 'description' | 'links'>;

/** The same with descriptions, alternative labels and links limited in length and number: all of them are held in memory while
 *  an index is built. */
export function boundConcept<T extends Bounded>(body: T): T {
  const { altLabels, description, links } = body;
  return {
    ...body,
    ...(altLabels !== undefined && { altLabels: mapValues(altLabels, boundLabels) }),
    ...(description !== undefined && {
      description: mapValues(description, (text) => cutTextAtWord(text, MAX_DESCRIPTION)),
    }),
    ...(links !== undefined && { links: mapValues(links, (targets) => targets.slice(0, MAX_LINKS)) }),
  };
}

function boundLabels(labels: readonly string[]): string[] {
  return labels.filter(({ length }) => length <= MAX_LABEL).slice(0, MAX_LABELS);
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
