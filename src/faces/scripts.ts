import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { projectRoot } from '../project-root.ts';

/** Of the compiled scripts of the pages. */
export const scriptsDir = join(projectRoot, 'dist', 'src', 'browser');

/** The static imports of a module. */
const IMPORTS = /^(?:import|export)(?: [\w$*\s{},]+ from)? ['"](\.[^'"]+)['"]/gm;

/** Reads what each script of the pages imports, so that a page can ask for all of it at once: a browser finds the imports of a
 *  module only when it has that module, one journey to the host for each step.
 *  @returns what gives the paths below `folder` of all that a script imports, however indirectly, by its name without `.js` */
export function readScripts(folder = scriptsDir): (name: string) => readonly string[] {
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const importsOf = new Map(
    files.filter((file) => file.endsWith('.js')).map((file) => [file, importsIn(folder, file)] as const),
  );
  return (name) => [...allImportsOf(`${name}.js`, importsOf)].slice(1);
}

function importsIn(folder: string, file: string): string[] {
  const text = readFileSync(join(folder, file), 'utf8');
  return [...text.matchAll(IMPORTS)].map(([, target = '']) => join(dirname(file), target));
}

/** Itself first. */
function allImportsOf(file: string, importsOf: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set([file]);
  // Files added during the loop are visited as well.
  for (const each of found) for (const target of importsOf.get(each) ?? []) found.add(target);
  return found;
}
