import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'csv-parse/sync';

/** Sentences with the labels of the skills that they ask for. */
export interface TaggedSet {
  readonly name: string;
  readonly sentences: readonly TaggedSentence[];
}

export interface TaggedSentence {
  readonly sentence: string;
  readonly labels: ReadonlySet<string>;
}

type Row = Readonly<Record<string, string>>;

/** What the sets write for a skill that the taxonomy has no label for, or that is not said clearly;
 *  none of them counts in the sets' own evaluation. */
const NO_LABEL: ReadonlySet<string> = new Set(['', 'LABEL NOT PRESENT', 'UNK', 'UNDERSPECIFIED']);
/** A text in a list as Python writes it. */
const LISTED = /'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g;

/** Every set in a folder, or the one of a file: CSV with the columns `sentence` and `label`, a row
 *  for each label, or `sentence` and `skills`, a list as Python writes it. Files of other columns
 *  are passed over, and so are sentences without a label. */
export function readTaggedSets(place: string): TaggedSet[] {
  const files = statSync(place).isDirectory()
    ? readdirSync(place, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.csv'))
        .sort()
        .map((name) => join(place, name))
    : [place];
  return files.flatMap((file) => {
    const rows: Row[] = parse(readFileSync(file), { columns: true, bom: true, relax_column_count: true });
    const [first] = rows;
    const isSet = first !== undefined && 'sentence' in first && ('label' in first || 'skills' in first);
    return isSet ? [{ name: basename(file, '.csv'), sentences: groupBySentence(rows) }] : [];
  });
}

function groupBySentence(rows: readonly Row[]): TaggedSentence[] {
  const labels = new Map<string, Set<string>>();
  for (const row of rows) {
    if (row.sentence === undefined) continue;
    const own = labels.get(row.sentence) ?? new Set();
    for (const label of labelsOf(row)) if (!NO_LABEL.has(label)) own.add(label);
    labels.set(row.sentence, own);
  }
  return [...labels].map(([sentence, own]) => ({ sentence, labels: own })).filter((tagged) => tagged.labels.size > 0);
}

function labelsOf({ label, skills }: Row): string[] {
  if (label !== undefined) return [label.trim()];
  return [...(skills ?? '').matchAll(LISTED)].map(([, single, double]) =>
    (single ?? double ?? '').replace(/\\(.)/g, '$1'),
  );
}
