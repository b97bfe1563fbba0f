import { fileURLToPath } from 'node:url';

/** Folder of the starter catalogue, which comes with the program. */
export const catalogDir = fileURLToPath(new URL('../../data', import.meta.url));
