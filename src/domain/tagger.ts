/** Longest text that can be tagged, in UTF-16 units without the blanks around it. */
export const MAX_TEXT_LENGTH = 20_000;
