import { DCT, ESCO, SKOS } from '#domain/rights/taxonomies';
import { toOneLine } from '#domain/text';
import { readEscoConceptId } from '../concept-parts.ts';
import { createSourceFileError, type SourceFile } from '../files/source-file.ts';
import { readLanguageCode } from '../language-code.ts';
import { DEFAULT_LANG } from '../object-record.ts';
import { type RdfSyntax, type RdfTerm, readRdfQuads } from './rdf.ts';
import type { PublishedTaxonomy, ReadOptions, Statements, Term } from './statements.ts';
import { addToList } from './statements.ts';

/** The properties that are read, with their fields; `^` marks a property read in reverse. ESCO has
 *  properties of its own for descriptions and for the skills of occupations.
 *  Source: https://www.w3.org/TR/skos-reference/ */
const vocabularies: Readonly<Record<string, string>> = {
  'http://www.w3.org/1999/02/22-rdf-syntax-ns#': 'type=type',
  [SKOS]: `prefLabel=label altLabel=altLabel hiddenLabel=altLabel notation=code definition=description scopeNote=note
    broader=broader broadMatch=broader narrower=^broader narrowMatch=^broader exactMatch=sameAs
    related=related relatedMatch=related closeMatch=related`,
  'http://www.w3.org/2008/05/skos-xl#': 'prefLabel=label altLabel=altLabel hiddenLabel=altLabel literalForm=text',
  [DCT]: 'title=title description=description replaces=sameAs isReplacedBy=replaced,^sameAs',
  'http://www.w3.org/2002/07/owl#': 'sameAs=sameAs deprecated=deprecated',
  [ESCO]: `nodeLiteral=text skillType=type relatedEssentialSkill=essential
    relatedOptionalSkill=optional isEssentialSkillFor=^essential isOptionalSkillFor=^optional`,
};

const fieldsOf: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(vocabularies).flatMap(([namespace, properties]) =>
    properties.split(/\s+/).map((each) => {
      const [name = '', fields = ''] = each.split('=');
      return [namespace + name, fields.split(',')] as const;
    }),
  ),
);
const textFields: ReadonlySet<string> = new Set(['label', 'altLabel', 'description', 'note', 'text']);

/** Limit of labels and links: all are in memory, as statements may be anywhere in the file. */
const MAX_VALUES = 3_000_000;

/** Reads the concepts of SKOS, with labels of SKOS-XL, mappings, and what ESCO adds to it.
 *  Errors: IMPORT_INVALID for a file without concepts or too large; those of `readRdfQuads`. */
export async function readSkos(file: SourceFile, syntax: RdfSyntax, options: ReadOptions): Promise<PublishedTaxonomy> {
  const resources = await gatherSkosResources(file, syntax, options);
  const textsOf = (terms: readonly Term[] = []) =>
    terms.flatMap((term) => (term.lang === undefined ? (resources.get(term.value)?.text ?? []) : [term]));
  const isOf = ({ type = [] }: Statements, name: string) => type.some(({ value }) => value === SKOS + name);
  const concepts = new Map<string, Statements>();
  for (const [key, resource] of resources) {
    const { type, label, altLabel, description = [], note = [] } = resource;
    const isLinked = type === undefined && resource.broader !== undefined && readEscoConceptId(key) !== null;
    if (isLinked) concepts.set(key, resource);
    if (!isOf(resource, 'Concept') || key.startsWith('_:')) continue;
    const texts = {
      label: textsOf(label),
      altLabel: textsOf(altLabel),
      description: textsOf([...description, ...note]),
    };
    concepts.set(key, { ...resource, ...texts });
  }
  if (concepts.size === 0)
    throw createSourceFileError(file.name, 'has no concept of SKOS (skos:Concept). Check that it is the right file.');
  const schemes = [...resources.values()].filter((resource) => isOf(resource, 'ConceptScheme'));
  const { title = [], label = [] } = schemes.length === 1 ? (schemes[0] ?? {}) : {};
  const titles = textsOf([...title, ...label]);
  const displayedTitle = titles.find(({ lang }) => lang === (options.langs[0] ?? DEFAULT_LANG)) ?? titles[0];
  return { title: displayedTitle?.value ?? '', concepts };
}

async function gatherSkosResources(file: SourceFile, syntax: RdfSyntax, { langs, signal }: ReadOptions) {
  const resources = new Map<string, Statements>();
  let count = 0;
  for await (const { subject, predicate, object } of readRdfQuads(file, syntax, signal))
    for (const field of fieldsOf.get(predicate.value) ?? []) {
      const term = toSkosTerm(object, langs[0]);
      // Labels in languages without a code of two letters cannot be stored.
      const isWanted = term.lang !== '' && (langs.length === 0 || langs.includes(term.lang ?? ''));
      if (textFields.has(field) && object.termType === 'Literal' && (term.value === '' || !isWanted)) continue;
      if (++count > MAX_VALUES)
        throw createSourceFileError(
          file.name,
          `has more than ${MAX_VALUES.toLocaleString('en')} labels and links. Take fewer languages, or import a part of it.`,
        );
      const [from, to] = field.startsWith('^') ? [term, toSkosTerm(subject)] : [toSkosTerm(subject), term];
      const resource = resources.get(from.value) ?? {};
      resources.set(from.value, resource);
      addToList(resource, field.replace('^', ''), to);
    }
  return resources;
}

/** Marks blank nodes, which are not addresses. A language without a two-letter code is empty. */
function toSkosTerm({ termType, value, language }: RdfTerm, lang = DEFAULT_LANG): Term {
  if (termType !== 'Literal') return { value: termType === 'BlankNode' ? `_:${value}` : value };
  const text = toOneLine(value);
  return { value: text, lang: language ? (readLanguageCode(language) ?? '') : lang };
}
