import type { ConceptLink } from '../catalog-schema.ts';
import type { ColumnSpec } from '../columns.ts';
import { textOf, toLinks } from '../concept-outcome.ts';
import { inRuns } from '../row-runs.ts';
import type { RowReader } from '../table-source.ts';
import { escoIdOf } from './esco-id.ts';

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

/** Links, those of one concept that follow each other in one part. Links of ISCO groups are those of the starter taxonomy. */
export function readEscoLinks(table: LinkTable): RowReader {
  const { from, to, type } = shapes[table];
  return inRuns(
    ({ fields }) => {
      const id = escoIdOf(textOf(fields[from]));
      const target = escoIdOf(textOf(fields[to]));
      if (id === null || target === null)
        return `${id === null ? from : to} is no address of ESCO, http://data.europa.eu/esco/…`;
      if (!id.startsWith('esco:')) return null;
      const link = linkOf(table, type === null ? '' : textOf(fields[type]));
      return link === null
        ? 'relationType is neither essential nor optional'
        : { key: `${link} ${id}`, value: target };
    },
    (key, targets) => {
      const [link = '', id = ''] = key.split(' ');
      return toLinks(id, link as ConceptLink, { prefix: `links:${table}:${link}:`, targets });
    },
  );
}

function linkOf(table: LinkTable, type: string): ConceptLink | null {
  if (table === 'skill-skills') return 'related';
  if (table !== 'occupation-skills') return 'broader';
  return type === 'essential' || type === 'optional' ? type : null;
}
