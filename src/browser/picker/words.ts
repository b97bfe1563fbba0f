/** What the scripts of the picker need of its page everywhere: its elements, and texts to say. */

/** Errors: one that names what the page lacks. */
export function getElement<T extends HTMLElement = HTMLElement>(selector: string, within: ParentNode = document): T {
  const element = within.querySelector<T>(selector);
  if (element === null) throw new Error(`The page has no ${selector}.`);
  return element;
}

/** Texts of the page that the scripts say, by their names. */
export type Words = Readonly<Record<string, string>>;

/** The texts that an element of the page carries. */
export const readWords = ({ dataset }: HTMLElement): Words => JSON.parse(dataset.words ?? '{}') as Words;

/** Put values in for `{names}`. */
export function fillWords(words: string | undefined, values: Readonly<Record<string, string | number>>): string {
  return (words ?? '').replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));
}
