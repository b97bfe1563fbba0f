import { textOf } from '../concept-outcome.ts';

/** Several things in one cell, with a sign between them; or a list as JSON has it. */
export function listOf(value: unknown, separator: RegExp): string[] {
  const texts = Array.isArray(value) ? value.map(textOf) : textOf(value).split(separator);
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}
