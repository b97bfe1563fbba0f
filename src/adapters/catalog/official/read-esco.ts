import type { ConceptKind, ConceptLink, ConceptPart } from '../catalog-schema.ts';
import {
  readEscoConceptId,
  readIscoConceptId,
  refuseConcept,
  toConcept,
  toConceptAltLabels,
  toConceptLinks,
} from '../concept-parts.ts';
import type { ColumnSpec } from '../tables/columns.ts';
import {
  type Outcome,
  type RowReader,
  readEachRow,
  readRowsInRuns,
  readTableCell,
  refuseRow,
  type SourceRow,
} from '../tables/row-reader.ts';

type LabelTable = 'skills' | 'occupations' | 'groups' | 'hierarchy';

const common = { required: ['conceptUri', 'preferredLabel'] };
const texts = ['altLabels', 'hiddenLabels', 'description', 'definition'];
const levels = [0, 1, 2, 3];

export const escoLabelColumns: Readonly<Record<LabelTable, ColumnSpec>> = {
  skills: { ...common, optional: [...texts, 'skillType'] },
  occupations: { ...common, optional: [...texts, 'iscoGroup'] },
  groups: { ...common, optional: texts },
  hierarchy: {
    required: ['Level 0 URI', 'Level 0 preferred term'],
    optional: [...levels.slice(1).flatMap((n) => [`Level ${n} URI`, `Level ${n} preferred term`]), 'Description'],
  },
};

/** @param hasOccupationLinks whether another file has the broader concepts of occupations */
export function readEscoLabels(
  table: LabelTable,
  { lang, hasOccupationLinks }: { readonly lang: string; readonly hasOccupationLinks: boolean },
): RowReader {
  const part = `labels:${lang}:${table}`;
  if (table === 'hierarchy') return readEachRow((row) => readLevel(row, part, lang));
  return readEachRow((row) => {
    const id = readEscoConceptId(readTableCell(row.fields.conceptUri));
    const label = readTableCell(row.fields.preferredLabel);
    if (id === null) return refuseRow('conceptUri is no address of ESCO, http://data.europa.eu/esco/…');
    if (label === '') return refuseConcept(id, part, 'preferredLabel is empty');
    const group = hasOccupationLinks ? null : readIscoConceptId(readTableCell(row.fields.iscoGroup));
    return toConcept(id, part, {
      source: 'ESCO',
      kind: kindOf(table, readTableCell(row.fields.skillType)),
      labels: { [lang]: label },
      ...toConceptAltLabels(lang, [...lines(row.fields.altLabels), ...lines(row.fields.hiddenLabels)], label),
      ...descriptionOf(lang, row),
      ...(group === null ? {} : { links: { broader: [group] } }),
    });
  });
}

function kindOf(table: LabelTable, skillType: string): ConceptKind {
  if (table === 'occupations') return 'occupation';
  if (table === 'groups') return 'domain';
  return skillType === 'knowledge' ? 'topic' : 'skill';
}

const lines = (cell: unknown): string[] => readTableCell(cell).split(/\r\n?|\n/);

function descriptionOf(lang: string, { fields }: SourceRow): Pick<ConceptPart, 'description'> {
  const text =
    readTableCell(fields.description) || readTableCell(fields.definition) || readTableCell(fields.Description);
  return text === '' ? {} : { description: { [lang]: text } };
}

/** A row has the path to a group: the last level is the group, the one before is broader. */
function readLevel(row: SourceRow, part: string, lang: string): Outcome {
  const path = levels
    .map((n) => ({
      uri: readTableCell(row.fields[`Level ${n} URI`]),
      label: readTableCell(row.fields[`Level ${n} preferred term`]),
    }))
    .filter(({ uri }) => uri !== '');
  const group = path.at(-1);
  const id = readEscoConceptId(group?.uri ?? '');
  if (group === undefined || id === null)
    return refuseRow('no level has an address of ESCO, http://data.europa.eu/esco/…');
  if (group.label === '') return refuseConcept(id, part, 'the preferred term of the last level is empty');
  const above = readEscoConceptId(path.at(-2)?.uri ?? '');
  return toConcept(id, part, {
    source: 'ESCO',
    kind: 'domain',
    labels: { [lang]: group.label },
    ...descriptionOf(lang, row),
    ...(above === null ? {} : { links: { broader: [above] } }),
  });
}

type LinkTable = 'broader-skills' | 'broader-occupations' | 'occupation-skills' | 'skill-skills';

const broader = { from: 'conceptUri', to: 'broaderUri', type: null };

const shapes = {
  'broader-skills': broader,
  'broader-occupations': broader,
  'occupation-skills': { from: 'occupationUri', to: 'skillUri', type: 'relationType' },
  'skill-skills': { from: 'originalSkillUri', to: 'relatedSkillUri', type: null },
} as const;

export const escoLinkColumns: Readonly<Record<LinkTable, ColumnSpec>> = {
  'broader-skills': columnsOf('broader-skills'),
  'broader-occupations': columnsOf('broader-occupations'),
  'occupation-skills': columnsOf('occupation-skills'),
  'skill-skills': columnsOf('skill-skills'),
};

function columnsOf(table: LinkTable): ColumnSpec {
  const { from, to, type } = shapes[table];
  return { required: [from, to, ...(type === null ? [] : [type])], optional: [] };
}

/** Consecutive links of one concept make one part. Those of ISCO come with the starter taxonomy. */
export function readEscoLinks(table: LinkTable): RowReader {
  const { from, to, type } = shapes[table];
  return readRowsInRuns(
    ({ fields }) => {
      const id = readEscoConceptId(readTableCell(fields[from]));
      const target = readEscoConceptId(readTableCell(fields[to]));
      if (id === null || target === null)
        return `${id === null ? from : to} is no address of ESCO, http://data.europa.eu/esco/…`;
      if (!id.startsWith('esco:')) return null;
      const link = linkOf(table, type === null ? '' : readTableCell(fields[type]));
      return link === null ? 'relationType is neither essential nor optional' : { key: `${link} ${id}`, value: target };
    },
    (key, targets) => {
      const [link = '', id = ''] = key.split(' ');
      return toConceptLinks(id, link as ConceptLink, { prefix: `links:${table}:${link}:`, targets });
    },
  );
}

function linkOf(table: LinkTable, type: string): ConceptLink | null {
  if (table === 'skill-skills') return 'related';
  if (table !== 'occupation-skills') return 'broader';
  return type === 'essential' || type === 'optional' ? type : null;
}
