/** A step of `npm run build`: scripts and style sheets of the pages, with a hash of the content in
 *  the name, so that browsers can cache them forever. `faces/views.ts` reads the table. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from './project-root.ts';

interface PageAssets {
  /** Folder of the scripts. */
  readonly scripts: string;
  /** Paths in `scripts`, without `.ts`. */
  readonly entries: readonly string[];
  /** Folder of the style sheets; each file directly in it belongs to one page. */
  readonly styles: string;
  /** Folder that the bundles are written to; the table of their names is `<out>.json`. */
  readonly out: string;
}

async function bundlePageAssets({ scripts, entries, styles, out }: PageAssets): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  const styleSheets = readdirSync(styles).filter((name) => name.endsWith('.css'));
  const { metafile } = await build({
    absWorkingDir: projectRoot,
    entryPoints: [
      ...entries.map((name) => ({ in: join(scripts, `${name}.ts`), out: name })),
      ...styleSheets.map((name) => ({ in: join(styles, name), out: basename(name, '.css') })),
    ],
    entryNames: '[dir]/[name]-[hash]',
    outdir: out,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    metafile: true,
    logLevel: 'warning',
  });
  const names = Object.keys(metafile.outputs).map((file) => {
    const path = relative(out, join(projectRoot, file));
    return [path.replace(/-[A-Z0-9]{8}(\.\w+)$/, '$1'), path];
  });
  writeFileSync(`${out}.json`, JSON.stringify(Object.fromEntries(names)));
}

await bundlePageAssets({
  scripts: join(projectRoot, 'src', 'browser'),
  entries: [
    'admin/admin',
    'docs',
    'guide',
    'home/home',
    'lti/address',
    'lti/back',
    'lti/binding',
    'lti/login',
    'lti/register',
    'lti/resume',
    'lti/return',
    'lti/theme',
    'object/object',
    'picker/picker',
  ],
  styles: join(projectRoot, 'views', 'styles'),
  out: join(projectRoot, 'dist', 'assets'),
});
await bundlePageAssets({
  scripts: join(projectRoot, 'demo', 'browser'),
  entries: ['chat/chat', 'chosen', 'course', 'form'],
  styles: join(projectRoot, 'demo', 'views', 'styles'),
  out: join(projectRoot, 'dist', 'demo', 'assets'),
});
