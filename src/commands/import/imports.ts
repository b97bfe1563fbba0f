import { AppError } from '#errors';
import type { ImportRecord } from '#ports/store/store';
import { findImportState } from '#services/catalogue/imports/import-records';
import { listEveryItem } from '#services/host/every-item';
import { type JsonOption, print, printJson, printTable, toMinute } from '../print.ts';
import { type CommandContext, withInterrupt } from '../with-services.ts';
import { createProgressView, writeProgressCount } from './progress.ts';
import { buildIndex, openTools } from './run-import.ts';

export async function printImports({ services }: CommandContext, { json }: JsonOption): Promise<void> {
  const imports = await listEveryItem((page) => services.imports.listImports(page));
  if (json === true) return printJson(imports.map(toImportJson));
  printTable([
    ['NUMBER', 'DATASET', 'FORMAT', 'STATE', 'ADDED', 'CHANGED', 'REMOVED', 'REJECTED', 'BEGUN', 'SOURCE', 'PROBLEM'],
    ...imports.map(toImportRow),
  ]);
}

function toImportRow(record: ImportRecord): string[] {
  const { number, dataset, format, counts, startedAt, title, problem } = record;
  const state = findImportState(record, new Date());
  const { added, changed, removed, rejected } = counts;
  return [
    String(number),
    dataset,
    format,
    state === 'brokenOff' ? 'broken off' : state,
    ...[added, changed, removed, rejected].map(writeProgressCount),
    toMinute(startedAt),
    title,
    problem ?? '',
  ];
}

function toImportJson(record: ImportRecord): object {
  const { number, dataset, format, title, counts, startedAt, endedAt, problem, isUndoable } = record;
  const state = findImportState(record, new Date());
  return { number, dataset, format, state, title, counts, startedAt, endedAt, problem, isUndoable };
}

/** Returns the import with this number. Errors: IMPORT_UNKNOWN. */
async function getImport({ services }: CommandContext, number: number): Promise<ImportRecord> {
  const imports = await listEveryItem((page) => services.imports.listImports(page));
  const record = imports.find((candidate) => candidate.number === number);
  if (record !== undefined) return record;
  throw new AppError('IMPORT_UNKNOWN', `There is no import ${number}. See skilldock imports list.`);
}

export async function stopImport(context: CommandContext, number: number): Promise<void> {
  const record = await getImport(context, number);
  if (record.state !== 'running')
    throw new AppError('CHANGED_MEANWHILE', `Import ${number} does not run, so there is nothing to stop.`);
  await context.services.imports.stop(context.actor, record.id);
  print(`Import ${number} (${record.title}) is stopped. The same import goes on from there.`);
}

export async function acceptImport(context: CommandContext, number: number, version: string): Promise<void> {
  const record = await getImport(context, number);
  await context.services.imports.accept(context.actor, record.id);
  await buildIndexAfter(context, version);
  print(`Import ${number} (${record.title}) is published. To take it back: skilldock imports undo ${number}`);
}

export async function undoImport(context: CommandContext, number: number, version: string): Promise<void> {
  const record = await getImport(context, number);
  await context.services.imports.undo(context.actor, record.id);
  await buildIndexAfter(context, version);
  print(`Import ${number} (${record.title}) is taken back: the catalogue is as it was before.`);
}

async function buildIndexAfter(context: CommandContext, version: string): Promise<void> {
  const tools = openTools(context, version);
  try {
    await withInterrupt((signal) => buildIndex(tools, createProgressView(process.stderr), signal));
  } finally {
    await tools.close();
  }
}
