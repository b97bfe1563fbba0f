/** The same word in English and in French, in which `suggest` is at its best. */
export const SAMPLE_WORD = 'communication';
