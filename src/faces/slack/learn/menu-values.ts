/** Values of the filters' menus: no limit; what was typed and is no choice of the menu; else what is chosen, with a mark in
 *  front. */
export const ANY = 'any';
export const AS_IT_IS = 'keep';
export const CHOSEN = '=';

/** The token is in the block's id: options that are asked for while somebody types cannot say of which list they are. */
const FILTERS = 'learn_filters:';
export const filtersBlock = (token: string): string => FILTERS + token;
export const tokenOfBlock = (blockId: string): string => blockId.slice(FILTERS.length);
