import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';

/** The templates of `views/`, compiled once each, for every face that shows pages. */
export const views = new Eta({ views: fileURLToPath(new URL('../../views', import.meta.url)), cache: true });
