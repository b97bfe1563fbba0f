import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with data, pages and the build; the same for sources and compiled files. */
export const projectRoot = findProjectRoot(import.meta.dirname);

function findProjectRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('The program lacks its package.json. Install it again.');
  return findProjectRoot(parent);
}
