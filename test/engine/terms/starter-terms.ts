import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtIndexDir } from '../../../src/adapters/local/versions/version-folders.ts';
import { loadTermIndex, openTermIndex } from '../../../src/engine/terms/term-index.ts';

/** The taxonomies that come with the host, as the build has indexed them. */
export const starterTerms = openTermIndex(loadTermIndex(readFileSync(join(builtIndexDir, 'terms.index'))).data);
