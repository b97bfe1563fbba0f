import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { expect, test } from 'vitest';

/** What each part may import besides itself: our own parts by folder. A missing part may import
 *  nothing of ours. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  main: ['commands', 'errors', 'project-root'],
  commands: [
    'host',
    'stdio-host',
    'compose',
    'config',
    'adapters/files',
    'adapters/store/sqlite',
    'services',
    'ports',
    'domain',
    'errors',
    'project-root',
  ],
  host: ['app', 'faces/slow-body', 'faces/request-queue', 'config', 'errors', 'project-root'],
  'stdio-host': ['compose', 'faces', 'ports', 'domain', 'config'],
  'build-assets': ['project-root'],
  'build-index': ['adapters/local', 'project-root'],
  app: ['load-demo', 'compose', 'adapters', 'services', 'faces', 'ports', 'domain', 'config', 'errors'],
  'load-demo': ['compose/services', 'faces/slack', 'ports'],
  'project-root': [],
  // The type of all services, from which a face picks; see the test below.
  'compose/services': ['compose', 'services', 'ports', 'domain'],
  compose: ['compose/services', 'adapters', 'services', 'ports', 'domain', 'config', 'errors', 'project-root'],
  config: ['domain', 'errors'],
  errors: [],
  domain: [],
  ports: ['domain'],
  contract: ['domain', 'ports', 'errors'],
  engine: ['errors'],
  'services/host': ['ports', 'domain', 'errors'],
  'services/tenants': ['services/host', 'ports', 'domain', 'errors'],
  'services/catalogue': ['services/tenants', 'services/host', 'ports', 'domain', 'errors'],
  'services/courses': ['services/tenants', 'services/host', 'ports', 'domain', 'errors'],
  'services/searching': [
    'services/catalogue',
    'services/courses',
    'services/tenants',
    'services/host',
    'ports',
    'domain',
    'errors',
  ],
  'services/people': ['services/searching', 'services/tenants', 'services/host', 'ports', 'domain', 'errors'],
  'adapters/files': ['ports', 'domain', 'errors'],
  'adapters/catalog': ['contract', 'ports', 'domain', 'errors', 'project-root'],
  'adapters/lti-platforms': ['ports', 'domain', 'errors'],
  'adapters/meaning': ['ports', 'project-root'],
  'adapters/local': [
    'adapters/catalog',
    'adapters/meaning',
    'adapters/processes',
    'engine',
    'ports',
    'domain',
    'contract',
    'errors',
    'project-root',
  ],
  'adapters/oidc': ['ports', 'domain', 'errors'],
  'adapters/opensearch': ['adapters/local', 'engine', 'domain', 'errors'],
  'adapters/otel': ['ports', 'domain', 'errors'],
  'adapters/pictures': ['adapters/processes', 'ports', 'domain', 'errors'],
  'adapters/processes': [],
  'adapters/remote': ['ports', 'domain', 'contract', 'errors'],
  'adapters/store/mongo': ['ports', 'domain', 'errors'],
  'adapters/store/sqlite': ['adapters/processes', 'ports', 'domain', 'errors'],
  'faces/request-log': ['ports'],
  'faces/app-errors': ['errors'],
  'faces/abort-signal': [],
  'faces/downloads': [],
  'faces/slow-body': [],
  'faces/request-queue': [],
  'faces/page-headers': ['services/tenants'],
  'faces/strict-paths': [],
  'faces/views': ['faces/object-view', 'faces/words', 'project-root'],
  'faces/words': ['project-root', 'domain', 'errors'],
  'faces/cookies': ['faces/words'],
  'faces/object-view': ['faces/words', 'faces/xml', 'services', 'ports', 'domain', 'errors'],
  'faces/plan-view': [
    'faces/downloads',
    'faces/xml',
    'faces/object-view',
    'faces/words',
    'services',
    'ports',
    'domain',
    'errors',
  ],
  'faces/search-view': ['faces/object-view', 'faces/words', 'services', 'ports', 'domain', 'errors'],
  'faces/admin': [
    'compose/services',
    'faces/app-errors',
    'faces/slow-body',
    'faces/downloads',
    'faces/request-queue',
    'faces/cookies',
    'faces/object-view',
    'faces/search-view',
    'faces/strict-paths',
    'faces/views',
    'faces/words',
    'services',
    'ports',
    'domain',
    'errors',
    'project-root',
  ],
  'faces/api': [
    'compose/services',
    'project-root',
    'faces/abort-signal',
    'faces/app-errors',
    'faces/cookies',
    'faces/page-headers',
    'faces/strict-paths',
    'faces/views',
    'faces/words',
    'contract',
    'services',
    'ports',
    'domain',
    'errors',
  ],
  'faces/harvest': ['faces/app-errors', 'faces/strict-paths', 'faces/xml', 'services', 'ports', 'domain', 'errors'],
  'faces/resource-search': [
    'faces/abort-signal',
    'faces/app-errors',
    'faces/page-headers',
    'faces/strict-paths',
    'services',
    'ports',
    'domain',
    'errors',
  ],
  'faces/home': [
    'compose/services',
    'faces/abort-signal',
    'faces/app-errors',
    'faces/cookies',
    'faces/object-view',
    'faces/plan-view',
    'faces/search-view',
    'faces/strict-paths',
    'faces/views',
    'faces/words',
    'faces/xml',
    'services',
    'ports',
    'domain',
    'errors',
    'project-root',
  ],
  'faces/lti': [
    'compose/services',
    'faces/abort-signal',
    'faces/app-errors',
    'faces/cookies',
    'faces/downloads',
    'faces/object-view',
    'faces/page-headers',
    'faces/plan-view',
    'faces/search-view',
    'faces/strict-paths',
    'faces/views',
    'faces/words',
    'services',
    'ports',
    'domain',
    'errors',
  ],
  'faces/mcp': [
    'compose/services',
    'faces/abort-signal',
    'faces/app-errors',
    'faces/page-headers',
    'faces/search-view',
    'faces/strict-paths',
    'faces/words',
    'contract',
    'services',
    'ports',
    'domain',
    'errors',
  ],
  'faces/slack': [
    'compose/services',
    'faces/abort-signal',
    'faces/app-errors',
    'faces/object-view',
    'faces/page-headers',
    'faces/page-headers',
    'faces/search-view',
    'faces/strict-paths',
    'faces/views',
    'faces/words',
    'services',
    'ports',
    'domain',
    'errors',
  ],
  browser: [],
  // What a face may, and what a demo must give; nothing imports it.
  demo: [
    'load-demo',
    'faces/app-errors',
    'faces/page-headers',
    'faces/strict-paths',
    'faces/views',
    'faces/words',
    'services',
    'ports',
    'domain',
    'errors',
    'project-root',
  ],
  'demo/browser': [],
};

/** Packages that only these parts may import. */
const packageHomes: Readonly<Record<string, readonly string[]>> = {
  express: [
    'app',
    'faces/abort-signal',
    'faces/app-errors',
    'faces/cookies',
    'faces/page-headers',
    'faces/request-log',
    'faces/strict-paths',
    'faces/views',
    'faces/admin',
    'faces/api',
    'faces/harvest',
    'faces/resource-search',
    'faces/home',
    'faces/lti',
    'faces/mcp',
    'faces/slack',
    'load-demo',
    'demo',
  ],
  '@modelcontextprotocol/client': ['commands'],
  '@modelcontextprotocol/server': ['faces/mcp'],
  '@slack/bolt': ['faces/slack'],
  fflate: ['faces/admin', 'faces/plan-view'],
  jose: ['adapters/lti-platforms', 'faces/lti', 'services/courses', 'demo'],
  libsql: ['adapters/store/sqlite'],
  mongoose: ['adapters/store/mongo'],
  n3: ['adapters/catalog'],
  'jsonld-streaming-parser': ['adapters/catalog'],
  'rdfxml-streaming-parser': ['adapters/catalog'],
  'openid-client': ['adapters/oidc'],
  undici: ['adapters/remote'],
  '@opensearch-project/opensearch': ['adapters/opensearch'],
  'ipaddr.js': ['domain', 'services'],
  '@node-rs/argon2': ['services'],
  '@zxcvbn-ts/core': ['services'],
  '@zxcvbn-ts/language-common': ['services'],
  'csv-stringify': ['faces/downloads'],
  i18next: ['faces/words'],
  ltijs: ['adapters/lti-platforms'],
  commander: ['main', 'commands'],
  eld: ['services'],
  eta: ['faces/views'],
  '@opentelemetry/api': ['adapters/otel'],
  '@opentelemetry/context-async-hooks': ['adapters/otel'],
  '@opentelemetry/core': ['adapters/otel'],
  '@opentelemetry/exporter-trace-otlp-http': ['adapters/otel'],
  '@opentelemetry/resources': ['adapters/otel'],
  '@opentelemetry/sdk-trace-base': ['adapters/otel'],
  '@orama/stemmers': ['engine'],
  'csv-parse': ['adapters/catalog'],
  feedsmith: ['adapters/catalog'],
  htmlparser2: ['adapters/catalog'],
  hucre: ['adapters/catalog'],
  'robots-parser': ['adapters/catalog'],
  yauzl: ['adapters/catalog'],
  busboy: ['faces/admin'],
  sharp: ['adapters/pictures'],
  helmet: ['app'],
  compression: ['app'],
  pino: ['compose', 'faces/request-log'],
  'prom-client': ['faces/api'],
  'swagger-ui-dist': ['faces/api'],
  uqr: ['faces/admin'],
  marked: ['faces/api'],
  'lru-cache': [
    'compose',
    'services',
    'adapters/local',
    'adapters/lti-platforms',
    'adapters/pictures',
    'adapters/remote',
    'faces/api',
    'faces/object-view',
    'faces/slack',
    'faces/words',
    'adapters/opensearch',
    'adapters/store/sqlite',
  ],
  zod: [
    'config',
    'contract',
    'adapters/catalog',
    'adapters/local',
    'adapters/lti-platforms',
    'adapters/remote',
    'faces/admin',
    'faces/api',
    'faces/lti',
    'faces/search-view',
    'faces/slack',
    'demo',
  ],
};

interface Import {
  readonly file: string;
  readonly part: string;
  readonly target: string;
}

const files = ['src', 'demo'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path)),
);

const imports = files.flatMap((file): Import[] => {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, target]) => ({
    file,
    part: partOf(file),
    target: target!,
  }));
});

test('the sources are read', () => {
  expect(imports.length).toBeGreaterThan(100);
});

test('our own parts are imported one way only', () => {
  const wrong = imports
    .filter(isOurs)
    .map((each) => ({ file: each.file, part: each.part, to: partOf(fileOf(each)) }))
    .filter(({ part, to }) => part !== to && !isAllowed(allowed[part] ?? [], to));
  expect(wrong).toEqual([]);
});

test('faces import only the type of all services', () => {
  const importers = files.filter((file) => file.startsWith(join('src', 'faces')));
  const wrong = importers.filter((file) => /import (?!type )[^;]*'#compose/.test(readFileSync(file, 'utf8')));
  expect(wrong).toEqual([]);
});

test('packages stay where they belong', () => {
  const wrong = imports.filter(({ part, target }) =>
    Object.entries(packageHomes).some(
      ([name, homes]) => (target === name || target.startsWith(`${name}/`)) && !isAllowed(homes, part),
    ),
  );
  expect(wrong).toEqual([]);
});

test('every package has a home', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const names = Object.keys({ ...dependencies, ...peerDependencies });
  expect(Object.keys(packageHomes).sort()).toEqual(names.sort());
});

test('no file imports itself, however indirectly', () => {
  const ours = imports.filter(isOurs);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const each of ours) if (each.file === file) visit(fileOf(each), [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

test('no folder has more than 25 files beside each other', () => {
  const folders = files.map((file) => dirname(file));
  const crowded = [...new Set(folders)].filter((folder) => folders.filter((other) => other === folder).length > 25);
  expect(crowded).toEqual([]);
});

test('what is added is paid for by what is removed: 820 files, 96,000 lines', () => {
  const sources = files.filter((file) => file.startsWith(`src${sep}`));
  const lines = sources.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
  expect(sources.length).toBeLessThanOrEqual(820);
  expect(lines).toBeLessThanOrEqual(96_000);
});

test('the engine does no input or output', () => {
  const wrong = imports.filter(({ part, target }) => part === 'engine' && target.startsWith('node:'));
  expect(wrong).toEqual([]);
});

test('only the command line ends the process, only the configuration reads the environment', () => {
  const users = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(file, 'utf8')));
  expect(users(/process\.exit\b/)).toEqual(['src/main.ts']);
  expect(users(/process\.env\b/)).toEqual(['src/config.ts']);
});

test('page scripts give their constants values before they call what reads them', () => {
  const late = files.flatMap((file) => {
    if (!/\bbrowser\//.test(file)) return [];
    const [, ...after] = readFileSync(file, 'utf8').split(/^(?=(?:void |for |if )?[\w.]+\()/m);
    const names = after.flatMap((text) => [...text.matchAll(/^const ([A-Z][A-Z_]+)\b/gm)]);
    return names.map(([, name]) => `${file}: ${name}`);
  });
  expect(late).toEqual([]);
});

test('every address is exact: routers are made in one place', () => {
  const makers = files.filter((file) => /\bRouter\(/.test(readFileSync(file, 'utf8')));
  expect(makers).toEqual(['src/faces/strict-paths.ts']);
});

function isOurs({ target }: Import): boolean {
  return target.startsWith('.') || target.startsWith('#');
}

/** Of our own parts: `src/errors.ts` for `#errors`, as package.json says. */
function fileOf({ file, target }: Import): string {
  return target.startsWith('#') ? `src/${target.slice(1)}.ts` : join(dirname(file), target);
}

/** `faces/api` for src/faces/api/errors.ts, `engine` for src/engine/text/fold.ts, `demo` for
 *  demo/chat/chat.ts, `adapters/store/mongo` for src/adapters/store/mongo/connection.ts. */
function partOf(file: string): string {
  if (file === 'src/compose/services.ts') return 'compose/services';
  const [first = '', second = '', third = ''] = file.replace(/^src\/|\.ts$/g, '').split('/');
  if (first === 'adapters' && second === 'store') return `adapters/store/${third}`;
  const isOfTwo = ['faces', 'adapters', 'services'].includes(first) || (first === 'demo' && second === 'browser');
  return isOfTwo ? `${first}/${second}` : first;
}

function isAllowed(parts: readonly string[], to: string): boolean {
  return parts.some((part) => to === part || to.startsWith(`${part}/`));
}
