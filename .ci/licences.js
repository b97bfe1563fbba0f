#!/usr/bin/env node
// Lists the licence of every package that a production install may bring, and fails where one is not allowed.
// Usage: node .ci/licences.js [folder with package-lock.json]
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** They ask for no more than that their text is kept. */
const allowed = ['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/** Others were looked at one by one. MPL-2.0 asks for the source of what is changed; nothing is. */
const allowedOf = { rasha: ['MPL-2.0'] };

/** libvips, as sharp brings it for each system: a shared library, loaded as it comes. LGPL-3.0 asks that it can be replaced by
 *  another build, as it can in `node_modules`, and for the source of what is changed; nothing is. */
const allowedUnder = { '@img/sharp-': ['LGPL-3.0-or-later'] };

const folder = process.argv[2] ?? '.';
const readJson = (path) => JSON.parse(readFileSync(join(folder, path), 'utf8'));

const packages = Object.entries(readJson('package-lock.json').packages)
  .filter(([path, { dev }]) => path !== '' && !dev)
  .map(([path, { version, license }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { name, version, licence: readOwnLicence(path) ?? license ?? 'none' };
  })
  .sort((one, other) => (one.name < other.name ? -1 : 1));

/** What the package itself says, of which the lock knows but the usual form. Packages for other systems are not installed. */
function readOwnLicence(path) {
  if (!existsSync(join(folder, path, 'package.json'))) return undefined;
  const { license, licenses } = readJson(join(path, 'package.json'));
  const said = [license ?? licenses ?? []].flat().map((each) => each.type ?? each);
  return said.length === 0 ? undefined : said.join(' OR ');
}

/** Of several to choose from, one is enough; of several that hold together, each has to be allowed. */
function isAllowed({ name, licence }) {
  const under = Object.entries(allowedUnder).flatMap(([start, each]) => (name.startsWith(start) ? each : []));
  const all = [...allowed, ...under, ...(Object.hasOwn(allowedOf, name) ? allowedOf[name] : [])];
  const choices = licence.replaceAll(/[()]/g, '').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((each) => all.includes(each)));
}

for (const { name, version, licence } of packages) console.log(`${licence.padEnd(14)} ${name} ${version}`);

const refused = packages.filter((each) => !isAllowed(each));
if (refused.length > 0) {
  const names = refused.map(({ name, licence }) => `${name} (${licence})`).join(', ');
  console.error(
    `\nNot on the list of allowed licences: ${names}. Use another package, or read the licence and add it to .ci/licences.js.`,
  );
  process.exitCode = 1;
}
