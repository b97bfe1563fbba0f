import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Absolute path of the program's folder, where data, pages and what was built are. The same for the sources and for every
 *  folder they are compiled to. */
export const projectRoot = findProjectRoot(import.meta.dirname);

function findProjectRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('The program lacks its package.json. Install it again.');
  return findProjectRoot(parent);
}
