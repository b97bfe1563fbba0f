/** Articles and pronouns that French and Italian glue to the next word, after a word's border. */
const ELIDED = "(^|[^\\p{L}\\p{N}])(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|all|dall|dell|nell|sull|un)['’]";

/** Before its word: `l'analyse`. The first group is what stands before it. */
export const ELISION = new RegExp(`${ELIDED}(?=\\p{L})`, 'giu');

/** At the end of what is being typed, waiting for its word: `gestion d'`. The first group is what stands before it. */
export const OPEN_ELISION = new RegExp(`${ELIDED}\\s*$`, 'iu');
