import type { Handler } from 'htmlparser2';
import { readMarkup, stopMarkup } from '#adapters/catalog/markup';

/** An element; its name and attributes have no prefixes, which repositories choose freely. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  /** Text of the element itself, without that of its children. */
  readonly text: string;
}

interface OpenNode extends XmlNode {
  readonly children: OpenNode[];
  text: string;
}

interface XmlDocument {
  /** The elements that were asked for, in order; not those within each other. */
  readonly nodes: readonly XmlNode[];
  /** Name of the outermost element; empty where there is none. */
  readonly root: string;
  /** Whether the document is complete; one that is cut off is read as far as it goes. */
  readonly isWhole: boolean;
}

const MAX_DEPTH = 50;
const MAX_TEXT = 100_000;

interface XmlWish {
  /** Name of the outermost element: a document with another one is not read. */
  readonly root: string;
  /** Names of the elements that are wanted. */
  readonly names: ReadonlySet<string>;
  /** For people: the address of the document. */
  readonly place: string;
}

/** Reads only some elements of a document, by their names without prefixes. Entities that a
 *  document defines itself are ignored, so that none can explode. Errors: those of `readMarkup`. */
export function readXml(text: string, wish: XmlWish): XmlDocument {
  const nodes: XmlNode[] = [];
  const open: OpenNode[] = [];
  let [root, depth, isWhole] = ['', 0, false];
  const handler: Partial<Handler> = {
    onopentag(prefixed, attributes) {
      const name = localName(prefixed);
      if (depth++ === 0) {
        root ||= name;
        if (root !== wish.root) stopMarkup();
      }
      if (open.length === 0 && !wish.names.has(name)) return;
      const node: OpenNode = { name, attributes: local(attributes), children: [], text: '' };
      // No known format nests deeper; what does is read and dropped.
      if (open.length > 0 && open.length < MAX_DEPTH) open.at(-1)?.children.push(node);
      open.push(node);
    },
    ontext(data) {
      const node = open.at(-1);
      if (node !== undefined && node.text.length < MAX_TEXT) node.text += data;
    },
    onclosetag(_name, isImplied) {
      if (--depth === 0) isWhole = !isImplied;
      const node = open.pop();
      if (node !== undefined && open.length === 0) nodes.push(node);
      // What stands behind it, such as notices of PHP, is none of the document.
      if (isWhole) stopMarkup();
    },
  };
  readMarkup(text, handler, { place: wish.place, xmlMode: true });
  return { nodes, root, isWhole };
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

const local = (attributes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localName(name), value]));

/** Elements at a path of names below, in order. */
export function findXmlNodes(node: XmlNode, ...path: readonly string[]): readonly XmlNode[] {
  return path.reduce<readonly XmlNode[]>(
    (elements, name) => elements.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [node],
  );
}

/** Their texts that are not empty. */
export function readXmlTexts(node: XmlNode, ...path: readonly string[]): string[] {
  return findXmlNodes(node, ...path)
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');
}
