import type { ConceptKind, ConceptPart } from '../catalog-schema.ts';
import type { ColumnSpec } from '../columns.ts';
import { altLabelsOf, refusedConcept, textOf, toConcept } from '../concept-outcome.ts';
import type { SourceRow } from '../table.ts';
import { eachRow, type Outcome, type RowReader, refused } from '../table-source.ts';
import { escoIdOf, iscoIdOf } from './esco-id.ts';

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
    optional: [
      ...levels.slice(1).flatMap((n) => [`Level ${n} URI`, `Level ${n} preferred term`]),
      'Description',
    ],
  },
};

/** @param hasOccupationLinks whether a file of its own says what is broader than an occupation */
export function readEscoLabels(
  table: LabelTable,
  { lang, hasOccupationLinks }: { readonly lang: string; readonly hasOccupationLinks: boolean },
): RowReader {
  const part = `labels:${lang}:${table}`;
  if (table === 'hierarchy') return eachRow((row) => readLevel(row, part, lang));
  return eachRow((row) => {
    const id = escoIdOf(textOf(row.fields.conceptUri));
    const label = textOf(row.fields.preferredLabel);
    if (id === null) return refused('conceptUri is no address of ESCO, http://data.europa.eu/esco/…');
    if (label === '') return refusedConcept(id, part, 'preferredLabel is empty');
    const group = hasOccupationLinks ? null : iscoIdOf(textOf(row.fields.iscoGroup));
    return toConcept(id, part, {
      source: 'ESCO',
      kind: kindOf(table, textOf(row.fields.skillType)),
      labels: { [lang]: label },
      ...altLabelsOf(lang, [...lines(row.fields.altLabels), ...lines(row.fields.hiddenLabels)], label),
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

function lines(cell: unknown): string[] {
  return textOf(cell).split(/\r?\n/);
}

function descriptionOf(lang: string, { fields }: SourceRow): Pick<ConceptPart, 'description'> {
  const text = textOf(fields.description) || textOf(fields.definition) || textOf(fields.Description);
  return text === '' ? {} : { description: { [lang]: text } };
}

/** A row names a group by the path that leads to it: the last level that it has is the group, the one before is broader. */
function readLevel(row: SourceRow, part: string, lang: string): Outcome {
  const path = levels
    .map((n) => ({
      uri: textOf(row.fields[`Level ${n} URI`]),
      label: textOf(row.fields[`Level ${n} preferred term`]),
    }))
    .filter(({ uri }) => uri !== '');
  const group = path.at(-1);
  const id = escoIdOf(group?.uri ?? '');
  if (group === undefined || id === null)
    return refused('no level has an address of ESCO, http://data.europa.eu/esco/…');
  if (group.label === '') return refusedConcept(id, part, 'the preferred term of the last level is empty');
  const above = escoIdOf(path.at(-2)?.uri ?? '');
  return toConcept(id, part, {
    source: 'ESCO',
    kind: 'domain',
    labels: { [lang]: group.label },
    ...descriptionOf(lang, row),
    ...(above === null ? {} : { links: { broader: [above] } }),
  });
}
