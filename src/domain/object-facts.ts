import { findLicenseRights, readLicense } from './rights/licences.ts';

/** The ID of a concept that has no address, by its taxonomy and code: `digcomp:1.1`. */
export const CONCEPT_ID_PATTERN = /^[a-z0-9-]+:[A-Za-z0-9.-]+$/;

/** A concept by its address or its ID in a taxonomy, its label, or both. */
export type TaughtConcept = { readonly uri?: string; readonly label?: string };

interface FactTypes {
  /** An SPDX identifier or the address of a licence. */
  license: string;
  /** YYYY, YYYY-MM or YYYY-MM-DD. */
  date: string;
  text: string;
  texts: readonly string[];
  /** Empty if an administrator says that there are none. */
  concepts: readonly TaughtConcept[];
}
export type FactKind = keyof FactTypes;

interface FactDescription {
  readonly kind: FactKind;
  readonly about: string;
  /** Other column names in tables, comma-separated. */
  readonly columns: string;
  readonly example: string;
}

/** Facts that the maker states, by their names in schema.org; never guessed. Record, contract,
 *  imports, edits, pages and exports are derived from this table. */
export const objectFacts = {
  license: {
    kind: 'license',
    about: 'Licence: its SPDX identifier or its address',
    columns: 'licence, licence url, license url, rights, usage rights, lizenz, licencia, licenza',
    example: 'CC-BY-4.0',
  },
  published: {
    kind: 'date',
    about: 'When it was published: YYYY, YYYY-MM or YYYY-MM-DD',
    columns: 'date published, publication date, publish date, published on, issued, date de publication',
    example: '2025-03-01',
  },
  modified: {
    kind: 'date',
    about: 'When it was last changed: YYYY, YYYY-MM or YYYY-MM-DD',
    columns: 'date modified, last updated, updated, updated on, last modified, date de mise a jour',
    example: '2025-09-30',
  },
  teaches: {
    kind: 'concepts',
    about: 'Concepts that it teaches: the address of each in a taxonomy, its label, or both',
    columns: 'teaches competency, taught skill, skill uri, competency uri, concept uri',
    example: 'give first aid <http://data.europa.eu/esco/skill/0f0f0f0f>',
  },
  educationalLevel: {
    kind: 'texts',
    about: 'Educational levels, as its maker names them',
    columns: 'grade, grade level, school level, niveau scolaire, schulstufe, bildungsstufe',
    example: 'Grade 10',
  },
  accessibilityFeature: {
    kind: 'texts',
    about: 'Features for accessibility, in the words of schema.org: captions, transcript, alternativeText …',
    columns: 'accessibility features, accessibility',
    example: 'captions | transcript',
  },
  accessMode: {
    kind: 'texts',
    about: 'Senses that it needs: textual, visual, auditory …',
    columns: 'access modes',
    example: 'visual | auditory',
  },
  accessibilityHazard: {
    kind: 'texts',
    about: 'Hazards such as flashing, or their absence: noFlashingHazard',
    columns: 'accessibility hazards, hazards',
    example: 'none',
  },
  accessibilitySummary: {
    kind: 'text',
    about: 'What its maker says about its accessibility',
    columns: 'accessibility statement',
    example: 'All videos have captions.',
  },
} as const satisfies Readonly<Record<string, FactDescription>>;

export type FactName = keyof typeof objectFacts;
type FactValue<Name extends FactName> = FactTypes[(typeof objectFacts)[Name]['kind']];
export type ObjectFacts = { readonly [Name in FactName]?: FactValue<Name> };
/** Null removes a fact. */
export type FactEdits = { readonly [Name in FactName]?: FactValue<Name> | null };

export const factNames = Object.keys(objectFacts) as FactName[];

/** Limits in UTF-16 units of a list entry, and of a text that stands alone. */
export const factTextLimits = { entry: 300, text: 1_000 } as const;
export const MAX_FACT_ENTRIES = 50;
export const DATE_PATTERN = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/;

export function pickFacts(object: ObjectFacts): ObjectFacts {
  const facts: Record<string, unknown> = {};
  for (const name of factNames) if (object[name] != null) facts[name] = object[name];
  return facts;
}

export function editObjectFacts(facts: ObjectFacts, edits: FactEdits): ObjectFacts {
  const editedNames = factNames.filter((name) => edits[name] !== undefined);
  return pickFacts({ ...pickFacts(facts), ...Object.fromEntries(editedNames.map((name) => [name, edits[name]])) });
}

/** Facts as texts, for forms, tables and other formats. */
export type FactTexts = { readonly [Name in FactName]?: readonly string[] | undefined };

/** Reads facts from texts, without unusable ones.
 *  @example readObjectFacts({ license: ['CC BY 4.0'], published: ['2025-03-01T10:00:00Z'] })
 *  // { license: 'CC-BY-4.0', published: '2025-03-01' } */
export function readObjectFacts(texts: FactTexts): ObjectFacts {
  return pickFacts(
    Object.fromEntries(factNames.map((name) => [name, readObjectFact(objectFacts[name].kind, texts[name] ?? [])])),
  );
}

const readers: { readonly [Kind in FactKind]: (texts: readonly string[]) => FactTypes[Kind] | undefined } = {
  license: (texts) => texts.map(readLicense).find((license) => license !== undefined),
  date: (texts) => texts.map((text) => readFactDate(text)).find((date) => date !== undefined),
  text: (texts) => texts.find((text) => text !== '')?.slice(0, factTextLimits.text),
  texts: (texts) => toFactEntries([...new Set(texts.map((text) => text.slice(0, factTextLimits.entry).trim()))]),
  concepts: (texts) => toFactEntries(texts.flatMap((text) => readFactConcept(text) ?? [])),
};

function readObjectFact(kind: FactKind, texts: readonly string[]): FactTypes[FactKind] | undefined {
  return readers[kind](texts.map((text) => text.trim()).filter((text) => text !== ''));
}

const toFactEntries = <T>(entries: readonly T[]) =>
  entries.length === 0 ? undefined : entries.slice(0, MAX_FACT_ENTRIES);

/** Reads a date without its time; undefined for an impossible day. */
function readFactDate(text: string): string | undefined {
  const [date = ''] = /^\d{4}(?:-\d{2}(?:-\d{2})?)?(?=$|T|\s)/.exec(text) ?? [];
  if (!DATE_PATTERN.test(date)) return undefined;
  return date.length < 10 || new Date(date).toISOString().startsWith(date) ? date : undefined;
}

const CONCEPT = /^(?:(.*?)\s*<(https?:\/\/[^\s<>]+|[a-z0-9-]+:[A-Za-z0-9.-]+)>|(https?:\/\/[^\s<>]+)|(.+))$/s;

/** Reads `label <address>`, `label <id>`, an address, or a label. */
function readFactConcept(text: string): TaughtConcept | undefined {
  const [, label, address, bare, name] = CONCEPT.exec(text) ?? [];
  const uri = address ?? bare;
  const conceptLabel = (label ?? name ?? '').slice(0, factTextLimits.entry).trim();
  if (uri !== undefined && !URL.canParse(uri)) return undefined;
  if (uri === undefined && conceptLabel === '') return undefined;
  return { ...(uri !== undefined && { uri }), ...(conceptLabel !== '' && { label: conceptLabel }) };
}

/** Writes facts as texts, which `readObjectFacts` reads. */
export function writeFactTexts(facts: ObjectFacts): FactTexts {
  return Object.fromEntries(
    factNames.flatMap((name) => {
      const value = facts[name];
      return value === undefined ? [] : [[name, [value].flat().map(writeFactEntry)]];
    }),
  );
}

const writeFactEntry = (entry: string | TaughtConcept): string =>
  typeof entry === 'string' ? entry : writeConceptText(entry);

/** Writes a concept as `readObjectFacts` reads it, without a `uri` of another form. */
export function writeConceptText({ uri = '', label = '' }: TaughtConcept): string {
  const isAddress = /^https?:\/\/[^\s<>]+$/i.test(uri);
  if (!isAddress && !CONCEPT_ID_PATTERN.test(uri)) return label;
  return label === '' && isAddress ? uri : `${label} <${uri}>`.trimStart();
}

/** Names of taxonomies in LOM for facts that have no element there. */
export const lomSources = {
  bloom: 'Bloom’s revised taxonomy',
  /** The ID of the taxon is a number. */
  level: 'level from -1 (beginner) to 1 (advanced)',
} as const;

/** Filters by facts. */
export const objectMarks = ['mayShare', 'mayAdapt', 'captions'] as const;
export type ObjectMark = (typeof objectMarks)[number];
const CAPTIONS = /^(?:(?:closed|open)?captions|transcript)$/i;

/** Returns whether an object states that it has captions or a transcript. */
export const hasCaptions = ({ accessibilityFeature = [] }: ObjectFacts): boolean =>
  accessibilityFeature.some((feature) => CAPTIONS.test(feature));

/** Returns the marks that an object fulfils; a fact that is not stated fulfils none. */
export function listObjectMarks(facts: ObjectFacts): readonly ObjectMark[] {
  const rights = facts.license === undefined ? null : findLicenseRights(facts.license);
  const has = { mayShare: rights?.mayShare, mayAdapt: rights?.mayAdapt, captions: hasCaptions(facts) };
  return objectMarks.filter((mark) => has[mark] === true);
}

const DAY_MS = 86_400_000;
/** Days from the year 0 to 1970. */
const DAYS_TO_1970 = 719_528;

/** Returns days since the year 0; a year or a month counts as its first day. */
export const toDayNumber = (date: string): number => Math.floor(new Date(date).getTime() / DAY_MS) + DAYS_TO_1970;

/** Returns the later day of publication and last change; undefined if both are unknown. */
export function findDayNumber({ published, modified }: ObjectFacts): number | undefined {
  const days = [published, modified].flatMap((date) => (date === undefined ? [] : [toDayNumber(date)]));
  return days.length === 0 ? undefined : Math.max(...days);
}
