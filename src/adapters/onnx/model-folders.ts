import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { MANIFEST_FILE, type ModelManifest, modelFileNames, readManifest } from './manifest.ts';

/** Of the folder of models in the data folder. */
export const MODELS_FOLDER = 'models';

/** Begins the name of a folder that is not complete, or is on its way out; names of models begin with a letter or digit. */
export const DRAFT = '.draft-';
const GONE = '.gone-';

/** A model that is installed. */
export interface InstalledModel {
  readonly name: string;
  readonly folder: string;
  /** Null where its manifest cannot be read. */
  readonly manifest: ModelManifest | null;
  /** Why it cannot be read. */
  readonly problem: AppError | null;
}

/** All of a folder, the latest first; those that cannot be read come last. Empty where there is none. */
export function listModels(folder: string): readonly InstalledModel[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => readModel(folder, name))
    .filter((found) => found !== null)
    .toSorted((one, other) => timeOf(other) - timeOf(one) || (one.name < other.name ? -1 : 1));
}

const timeOf = ({ manifest }: InstalledModel) => (manifest === null ? 0 : Date.parse(manifest.installedAt));

/** Null where it goes at this moment. */
function readModel(folder: string, name: string): InstalledModel | null {
  const own = join(folder, name);
  try {
    const manifest = readManifest(own);
    const problem = manifest.name === name ? null : createNameError(own, manifest.name);
    return { name, folder: own, manifest: problem === null ? manifest : null, problem };
  } catch (error) {
    if (error instanceof AppError) return { name, folder: own, manifest: null, problem: error };
    if (!existsSync(own)) return null;
    const problem = new AppError(
      'MODEL_INVALID',
      `${join(own, MANIFEST_FILE)} cannot be read. Install the model again: skilldock model install, or remove it: skilldock model remove ${name}.`,
      { cause: error },
    );
    return { name, folder: own, manifest: null, problem };
  }
}

function createNameError(folder: string, name: string): AppError {
  return new AppError(
    'MODEL_INVALID',
    `${folder} has the model ${name} in it. Give the folder the model's own name, or use skilldock model add.`,
  );
}

/** The model that a host is to use: the one that is named, else the latest. Null where there is none. */
export function findModel(folder: string, wanted?: string): InstalledModel | null {
  if (wanted === 'none') return null;
  const all = listModels(folder);
  return (wanted === undefined ? all[0] : all.find(({ name }) => name === wanted)) ?? null;
}

/** Another one as soon as anything of a model changed. */
export function stampModel({ folder }: InstalledModel): string {
  const stamps = [MANIFEST_FILE, ...modelFileNames].map((name) => {
    const stat = statSync(join(folder, name), { throwIfNoEntry: false });
    return stat === undefined ? 'missing' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  });
  return [folder, ...stamps].join('; ');
}

/** A complete draft becomes the model of its name, at once and in place of an older one. */
export function placeModel(folder: string, draft: string, name: string): void {
  removeModel(folder, name);
  renameSync(draft, join(folder, name));
}

/** @returns whether it was there */
export function removeModel(folder: string, name: string): boolean {
  const own = join(folder, name);
  if (!existsSync(own)) return false;
  const gone = join(folder, `${GONE}${name}`);
  rmSync(gone, { recursive: true, force: true });
  // It is gone at once: a host never meets half of it.
  renameSync(own, gone);
  rmSync(gone, { recursive: true, force: true });
  return true;
}
