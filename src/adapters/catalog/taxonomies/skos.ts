import type { ConceptKind, ConceptLink } from '../catalog-schema.ts';
import { toConceptAltLabels } from '../concept-parts.ts';
import { createSourceFileError, type SourceFile } from '../files/source-file.ts';
import { readLanguageCode } from '../language-code.ts';
import { DEFAULT_LANG } from '../object-record.ts';
import { readConceptKind } from '../tables/open-taxonomy-source.ts';
import { addToList, type PublishedConcept, type PublishedTaxonomy } from './published-taxonomy.ts';
import { type RdfSyntax, type RdfTerm, readQuads } from './rdf.ts';

const SKOS = 'http://www.w3.org/2004/02/skos/core#';
const SKOS_XL = 'http://www.w3.org/2008/05/skos-xl#';
const DCTERMS = 'http://purl.org/dc/terms/';
const OWL = 'http://www.w3.org/2002/07/owl#';
const ESCO = 'http://data.europa.eu/esco/model#';

type Field =
  | ConceptLink
  | 'narrower'
  | 'essentialFor'
  | 'optionalFor'
  | 'replaces'
  | 'replacedBy'
  | 'deprecated'
  | 'type'
  | 'label'
  | 'altLabel'
  | 'notation'
  | 'definition'
  | 'scopeNote'
  | 'title'
  | 'text';

/** The properties that are read. ESCO writes its texts and the skills of occupations in its own
 *  words.
 *  Source: https://www.w3.org/TR/skos-reference/ */
const fieldOf: Readonly<Record<string, Field>> = {
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#type': 'type',
  [`${SKOS}prefLabel`]: 'label',
  [`${SKOS_XL}prefLabel`]: 'label',
  [`${SKOS}altLabel`]: 'altLabel',
  [`${SKOS_XL}altLabel`]: 'altLabel',
  [`${SKOS}hiddenLabel`]: 'altLabel',
  [`${SKOS_XL}hiddenLabel`]: 'altLabel',
  [`${SKOS_XL}literalForm`]: 'text',
  [`${ESCO}nodeLiteral`]: 'text',
  [`${SKOS}notation`]: 'notation',
  [`${SKOS}definition`]: 'definition',
  [`${DCTERMS}description`]: 'definition',
  [`${SKOS}scopeNote`]: 'scopeNote',
  [`${SKOS}broader`]: 'broader',
  [`${SKOS}broadMatch`]: 'broader',
  [`${SKOS}narrower`]: 'narrower',
  [`${SKOS}narrowMatch`]: 'narrower',
  [`${SKOS}related`]: 'related',
  [`${SKOS}relatedMatch`]: 'related',
  [`${SKOS}closeMatch`]: 'related',
  [`${SKOS}exactMatch`]: 'sameAs',
  [`${OWL}sameAs`]: 'sameAs',
  [`${ESCO}relatedEssentialSkill`]: 'essential',
  [`${ESCO}relatedOptionalSkill`]: 'optional',
  [`${ESCO}isEssentialSkillFor`]: 'essentialFor',
  [`${ESCO}isOptionalSkillFor`]: 'optionalFor',
  [`${ESCO}skillType`]: 'type',
  [`${OWL}deprecated`]: 'deprecated',
  [`${DCTERMS}isReplacedBy`]: 'replacedBy',
  [`${DCTERMS}replaces`]: 'replaces',
  [`${DCTERMS}title`]: 'title',
};

const texts: ReadonlySet<Field> = new Set(['label', 'altLabel', 'definition', 'scopeNote', 'text']);

type Resource = Partial<Record<Field, RdfTerm[]>>;
type Resources = ReadonlyMap<string, Resource>;

/** All are in memory until the end of the file: a statement about a concept may stand anywhere. */
const MAX_VALUES = 3_000_000;

/** Reads the concepts of SKOS, with labels of SKOS-XL, mappings, and what ESCO adds to it.
 *  Errors: IMPORT_INVALID as of `readQuads`, for a file without concepts, and for one too large. */
export async function readSkos(
  file: SourceFile,
  syntax: RdfSyntax,
  { langs, signal }: { readonly langs: readonly string[]; readonly signal: AbortSignal },
): Promise<PublishedTaxonomy> {
  const resources = await gatherResources(file, syntax, { langs, signal });
  const isOf = ({ type = [] }: Resource, name: string) => type.some(({ value }) => value === `${SKOS}${name}`);
  const concepts = [...resources].filter(([key, resource]) => isOf(resource, 'Concept') && !key.startsWith('_:'));
  if (concepts.length === 0)
    throw createSourceFileError(file.name, 'has no concept of SKOS (skos:Concept). Look whether it is the right file.');
  const schemes = [...resources.values()].filter((resource) => isOf(resource, 'ConceptScheme'));
  const [scheme] = schemes.length === 1 ? schemes : [];
  const lang = langs[0] ?? DEFAULT_LANG;
  const names = readTexts({ label: [...(scheme?.title ?? []), ...(scheme?.label ?? [])] }, 'label', {
    resources,
    lang,
  });
  const inverse = invertLinks(concepts);
  return {
    title: names.find(([each]) => each === lang)?.[1] ?? names[0]?.[1] ?? '',
    concepts: concepts.map(([key, resource]) => toConcept(key, resource, { resources, lang, inverse })),
  };
}

async function gatherResources(
  file: SourceFile,
  syntax: RdfSyntax,
  { langs, signal }: { readonly langs: readonly string[]; readonly signal: AbortSignal },
): Promise<Resources> {
  const resources = new Map<string, Resource>();
  let count = 0;
  for await (const { subject, predicate, object } of readQuads(file, syntax, signal)) {
    const field = fieldOf[predicate.value];
    if (field === undefined) continue;
    const lang = object.language ? readLanguageCode(object.language) : (langs[0] ?? DEFAULT_LANG);
    // Labels in languages without a code of two letters cannot be stored.
    if (
      texts.has(field) &&
      object.termType === 'Literal' &&
      (lang === undefined || (langs.length > 0 && !langs.includes(lang)))
    )
      continue;
    count += 1;
    if (count > MAX_VALUES)
      throw createSourceFileError(
        file.name,
        'has more than 3,000,000 labels and links. Take fewer languages, or import a part of it.',
      );
    const key = nameOf(subject);
    const resource = resources.get(key) ?? {};
    resources.set(key, resource);
    const { termType, language = '' } = object;
    addToList(resource, field, { termType, value: termType === 'Literal' ? object.value : nameOf(object), language });
  }
  return resources;
}

/** Blank nodes must not be taken for addresses. */
const nameOf = ({ termType, value }: RdfTerm): string => (termType === 'BlankNode' ? `_:${value}` : value);

interface ConceptContext {
  readonly resources: Resources;
  /** Of texts that name none. */
  readonly lang: string;
  readonly inverse: ReadonlyMap<string, Partial<Record<'essential' | 'optional' | 'sameAs', string[]>>>;
}

function toConcept(key: string, resource: Resource, context: ConceptContext): PublishedConcept {
  const labels = readTexts(resource, 'label', context);
  const first = firstOfEach(labels);
  const [lang = context.lang] = labels[0] ?? [];
  const codes = (resource.notation ?? []).map(({ value }) => value).filter(isTellingCode);
  const others: Partial<Record<string, string[]>> = {};
  for (const [each, text] of [...labels, ...readTexts(resource, 'altLabel', context)]) addToList(others, each, text);
  for (const code of codes) addToList(others, lang, code);
  const lists = Object.entries(others).map(([each, list = []]) => toConceptAltLabels(each, list, first[each] ?? ''));
  const kind = findKind(resource);
  return {
    ...{ key, uri: key, labels: first },
    ...(kind !== null && { kind }),
    altLabels: Object.assign({}, ...lists.map(({ altLabels }) => altLabels)),
    description: firstOfEach([
      ...readTexts(resource, 'definition', context),
      ...readTexts(resource, 'scopeNote', context),
    ]),
    links: readLinks(key, resource, context),
    isWithdrawn: isWithdrawn(resource),
  };
}

function firstOfEach(pairs: readonly (readonly [lang: string, text: string])[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [lang, text] of pairs) texts[lang] ??= text;
  return texts;
}

const isWithdrawn = ({ deprecated = [], replacedBy = [] }: Resource): boolean =>
  replacedBy.length > 0 || deprecated.some(({ value }) => /^(?:true|1)$/i.test(value));

/** Whether a code stands for nothing else: `A` and `1.2` would be found in any text. */
export const isTellingCode = (code: string): boolean => code.length >= 5 && /\d/.test(code) && /\p{L}/u.test(code);

/** Texts with their languages, of literals and of the resources that hold one. */
function readTexts(resource: Resource, field: Field, { resources, lang }: Pick<ConceptContext, 'resources' | 'lang'>) {
  const terms = (resource[field] ?? []).flatMap((term) =>
    term.termType === 'Literal' ? [term] : (resources.get(term.value)?.text ?? []),
  );
  return terms.flatMap(({ value, language }): [string, string][] => {
    const text = value.replace(/\s+/g, ' ').trim();
    const code = language ? readLanguageCode(language) : lang;
    return text === '' || code === undefined ? [] : [[code, text]];
  });
}

/** By the last part of the address of a type; null where none says it. */
function findKind({ type = [] }: Resource): ConceptKind | null {
  const words = type
    .map(({ value }) => value.replace(/^.*[#/]/, ''))
    .filter((word) => word !== '' && word !== 'Concept');
  const kinds = words.map(readConceptKind);
  return kinds.find((kind) => kind === 'topic') ?? kinds.find((kind) => kind !== null) ?? null;
}

const ownLinks = ['broader', 'narrower', 'related', 'sameAs', 'essential', 'optional'] as const;

function readLinks(key: string, resource: Resource, { inverse }: ConceptContext): PublishedConcept['links'] {
  const links: Partial<Record<(typeof ownLinks)[number], string[]>> = {};
  const more: Resource = { sameAs: resource.replaces ?? [] };
  for (const link of ownLinks) {
    const terms = [...(resource[link] ?? []), ...(more[link] ?? [])].filter(({ termType }) => termType === 'NamedNode');
    const others = inverse.get(key)?.[link as 'essential'] ?? [];
    if (terms.length + others.length > 0) links[link] = [...terms.map(({ value }) => value), ...others];
  }
  return links;
}

/** What other concepts say of a concept: that it replaces them, or that they are its skills. */
function invertLinks(concepts: readonly (readonly [string, Resource])[]): ConceptContext['inverse'] {
  const inverse = new Map<string, Partial<Record<'essential' | 'optional' | 'sameAs', string[]>>>();
  const pairs = [
    ['essentialFor', 'essential'],
    ['optionalFor', 'optional'],
    ['replacedBy', 'sameAs'],
  ] as const;
  for (const [key, resource] of concepts)
    for (const [field, link] of pairs)
      for (const { value } of resource[field] ?? []) {
        const links = inverse.get(value) ?? {};
        inverse.set(value, links);
        addToList(links, link, key);
      }
  return inverse;
}
