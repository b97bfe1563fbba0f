import { refuseConcept, toConcept, toConceptAltLabels, toConceptLinks } from '../concept-parts.ts';
import { slugifyText } from '../plain-text.ts';
import {
  createRecentRows,
  joinRowOutcomes,
  type Outcome,
  type RowReader,
  readEachRow,
  readRowsInRuns,
  refuseRow,
} from '../tables/row-reader.ts';
import { readTableCell, type SourceRow } from '../tables/table.ts';

const source = 'O*NET';
const badCode = 'the O*NET-SOC Code is not of the form 11-1011.00';

export function readOccupations(): RowReader {
  return readEachRow(({ fields }) => {
    const id = idOf(fields['O*NET-SOC Code']);
    const label = readTableCell(fields.Title);
    const description = readTableCell(fields.Description);
    if (id === null) return refuseRow(badCode);
    if (label === '') return refuseConcept(id, 'labels:en', 'Title is empty');
    return toConcept(id, 'labels:en', {
      source,
      kind: 'occupation',
      labels: { en: label },
      ...(description === '' ? {} : { description: { en: description } }),
    });
  });
}

export function readAlternateTitles(): RowReader {
  return readRowsInRuns<string>(
    ({ fields }) => {
      const key = idOf(fields['O*NET-SOC Code']);
      const title = readTableCell(fields['Alternate Title']);
      const short = readTableCell(fields['Short Title']);
      if (key === null) return badCode;
      if (title === '') return 'Alternate Title is empty';
      return { key, value: short === '' || short === 'n/a' ? title : `${title}\n${short}` };
    },
    (id, values) => {
      const titles = toConceptAltLabels(
        'en',
        values.flatMap((value) => value.split('\n')),
        '',
      );
      return toConcept(id, `titles:${titles.altLabels?.en?.[0] ?? ''}`, titles);
    },
  );
}

export function readRelatedOccupations(): RowReader {
  return readRowsInRuns<string>(
    ({ fields }) => {
      const key = idOf(fields['O*NET-SOC Code']);
      const value = idOf(fields['Related O*NET-SOC Code']);
      if (key === null || value === null) return badCode;
      // Beyond the ten most similar ones, related occupations are rather neighbours of neighbours.
      return readTableCell(fields['Relatedness Tier']) === 'Supplemental' ? null : { key, value };
    },
    (id, targets) => toConceptLinks(id, 'related', { prefix: 'links:related:', targets }),
  );
}

/** Technologies are concepts below their group of goods (UNSPSC); each is given once. */
export function readTechnologies(): RowReader {
  const told = createRecentRows<true>();
  const once = (name: string, outcome: () => Outcome): Outcome[] =>
    told.swap(name, true) === undefined ? [outcome()] : [];
  return readRowsInRuns<string>(
    (row) => {
      const tech = technologyOf(row);
      if (typeof tech === 'string') return tech;
      const { id, name, group, groupName } = tech;
      const outcomes = [
        ...once(group, () =>
          toConcept(group, 'tech:group', { source, kind: 'domain', labels: { en: groupName } }),
        ),
        ...once(id, () => toConcept(id, 'tech:name', { source, kind: 'topic', labels: { en: name } })),
        ...once(`${id} ${group}`, () =>
          toConceptLinks(id, 'broader', { prefix: 'tech:broader:', targets: [group] }),
        ),
      ];
      return {
        key: tech.occupation,
        value: id,
        ...(outcomes.length === 0 ? {} : { extra: joinRowOutcomes(outcomes) }),
      };
    },
    (id, targets) => toConceptLinks(id, 'optional', { prefix: 'tech:optional:', targets }),
  );
}

interface Technology {
  readonly occupation: string;
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly groupName: string;
}

function technologyOf({ fields }: SourceRow): Technology | string {
  const occupation = idOf(fields['O*NET-SOC Code']);
  const name = readTableCell(fields.Example);
  const groupName = readTableCell(fields['Commodity Title']);
  const code = readTableCell(fields['Commodity Code']);
  const slug = slugifyText(name);
  if (occupation === null) return badCode;
  if (slug === '') return 'Example has no Latin letter and no digit';
  if (!/^\d{2,8}$/.test(code) || groupName === '')
    return 'Commodity Code and Commodity Title do not name a UNSPSC group';
  return { occupation, id: `onet:tech-${slug}`, name, group: `onet:unspsc-${code}`, groupName };
}

function idOf(code: unknown): string | null {
  const text = readTableCell(code);
  return /^\d{2}-\d{4}\.\d{2}$/.test(text) ? `onet:${text}` : null;
}
