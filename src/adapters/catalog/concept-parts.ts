import { type ConceptLink, type ConceptPart, conceptPart, conceptRecord } from './catalog-schema.ts';
import { boundConcept, MAX_LABEL } from './merge-concept-parts.ts';
import { type Outcome, refuseRow } from './tables/row-reader.ts';

/** The official taxonomies keep far below all of these: 121 characters, 421 links of one kind, 20 KB. A part is read, hashed and
 *  written in one go, so it must be small. */
const MAX_ID = 200;
const MAX_TARGET = 2_000;
const MAX_PART_LINKS = 2_000;
const MAX_PART_KB = 256;

/** A part of a concept, or what is wrong with it. */
export function toConcept(id: string, part: string, body: Omit<ConceptPart, 'id'>): Outcome {
  if (!isConceptId(id))
    return refuseRow(
      `"${id.slice(0, 80)}" is no id: write the taxonomy's prefix, a colon and a code, ${MAX_ID} characters at most`,
    );
  const badLinks = findBadLinks(body.links);
  if (badLinks !== null) return refuseConcept(id, part, badLinks);
  const long = Object.values(body.labels ?? {}).find((label) => label.length > MAX_LABEL);
  if (long !== undefined)
    return refuseConcept(id, part, `the label "${long.slice(0, 40)}…" has more than ${MAX_LABEL} characters`);
  const parsed = conceptPart.safeParse(boundConcept(body));
  if (parsed.success) {
    const kilobytes = Math.ceil(Buffer.byteLength(JSON.stringify(parsed.data)) / 1_024);
    if (kilobytes <= MAX_PART_KB) return { parts: [{ kind: 'concept', key: id, part, body: parsed.data }] };
    return refuseConcept(
      id,
      part,
      `its texts and links take ${kilobytes.toLocaleString('en-US')} KB, and ${MAX_PART_KB} are the most: shorten them`,
    );
  }
  const [issue] = parsed.error.issues;
  return refuseConcept(id, part, `${issue?.path.join(':') || 'the row'}: ${issue?.message}`);
}

export function isConceptId(text: string): boolean {
  return text.length <= MAX_ID && conceptRecord.shape.id.safeParse(text).success;
}

function findBadLinks(links: ConceptPart['links'] = {}): string | null {
  for (const [link, targets] of Object.entries(links)) {
    if (targets.length > MAX_PART_LINKS)
      return `${link} names ${targets.length.toLocaleString('en-US')} concepts, and ${MAX_PART_LINKS.toLocaleString('en-US')} are the most`;
    const long = targets.find((target) => target.length > MAX_TARGET);
    if (long !== undefined)
      return `${link} names "${long.slice(0, 40)}…", which has more than ${MAX_TARGET.toLocaleString('en-US')} characters`;
  }
  return null;
}

/** A row that would be this part of this concept. */
export function refuseConcept(id: string, part: string, reason: string): Outcome {
  return refuseRow(reason, isConceptId(id) ? { kind: 'concept', key: id, part } : undefined);
}

/** Links of one kind from one concept, under a name that begins with `prefix` and ends with the first target. */
export function toConceptLinks(
  id: string,
  link: ConceptLink,
  { prefix, targets }: { readonly prefix: string; readonly targets: readonly string[] },
): Outcome {
  const distinct = [...new Set(targets)];
  return toConcept(id, `${prefix}${distinct[0] ?? ''}`, { links: { [link]: distinct } });
}

/** Labels of one language, without repetitions and without those too long to be labels; nothing where none is left. */
export function toConceptAltLabels(
  lang: string,
  labels: readonly string[],
  except: string,
): Pick<ConceptPart, 'altLabels'> {
  const distinct = new Set(labels.map((label) => label.trim()));
  distinct.delete('');
  distinct.delete(except);
  const kept = [...distinct].filter(({ length }) => length <= MAX_LABEL);
  return kept.length === 0 ? {} : { altLabels: { [lang]: kept } };
}

const ESCO_URI = /https?:\/\/data\.europa\.eu\/esco\/([a-z-]+)\/([A-Za-z0-9.-]+)/;

/** ISCO groups begin with a letter in ESCO. */
const ISCO_CODE = /^C?(\d{1,4})$/;

/** Id of the concept that an ESCO address names, whatever stands before the address in the cell: `esco:skill.<uuid>`,
 *  `esco:isced-f.0011`; for ISCO groups the id in the starter taxonomy, `isco-08:2654`. Null for anything else.
 *  @example readEscoConceptId('http://data.europa.eu/esco/isco/C2654') // 'isco-08:2654' */
export function readEscoConceptId(uri: string): string | null {
  const [, scheme = '', code = ''] = ESCO_URI.exec(uri) ?? [];
  if (scheme === '' || code === '') return null;
  return scheme === 'isco' ? readIscoConceptId(code) : `esco:${scheme}.${code}`;
}

/** Id of an ISCO group by its code, `2654` or `C2654`. Null for anything else. */
export function readIscoConceptId(code: string): string | null {
  const [, digits] = ISCO_CODE.exec(code.trim()) ?? [];
  return digits === undefined ? null : `isco-08:${digits}`;
}
