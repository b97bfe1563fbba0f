import { dirname, relative, resolve } from 'node:path';
import type { Plugin } from 'vitest/config';

const root = resolve(import.meta.dirname, '../..');

/** Has tests import the compiled program: Node loads it natively, which takes a fraction of the time of transforming its sources in
 *  each worker, and threads start from the files that they start from on a host. `npm run build` compiles it. */
export function useBuild(): Plugin {
  return {
    name: 'use-build',
    enforce: 'pre',
    resolveId(source, importer) {
      if (importer === undefined || !source.startsWith('.')) return null;
      const file = relative(root, resolve(dirname(importer), source));
      // Scripts of pages are bundled, not compiled file by file: a test of one transforms its source.
      if (!/^(?:src|demo)\/(?!browser\/).*\.ts$/.test(file)) return null;
      return { id: resolve(root, 'dist', file.replace(/\.ts$/, '.js')), external: true };
    },
  };
}
