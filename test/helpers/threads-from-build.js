import { register } from 'node:module';

/** For `npm run coverage`, where tests import the sources, which Node cannot run: threads of the program start from the build. */
if (!import.meta.url.endsWith('?hooks')) register(`${import.meta.url}?hooks`);

const sources = new URL('../../src/', import.meta.url).href;
const built = new URL('../../dist/src/', import.meta.url).href;

/** A hook of Node's module loader. */
export function resolve(specifier, context, next) {
  return next(specifier.startsWith(sources) ? specifier.replace(sources, built) : specifier, context);
}
