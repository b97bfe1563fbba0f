/** How well an answer fits what was asked, as the specification codes it in `msg`. */
export type Quality = 'A00' | 'B00' | 'C00';

/** The specification's own sentences, grammar included. */
export const qualityMessages: Readonly<Record<Quality, string>> = {
  A00: 'These results are our best effort to answer your query.',
  B00: 'These results does not match exactly your query.',
  C00: 'No result to display for this query.',
};
