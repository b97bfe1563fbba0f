import type { Handler } from 'htmlparser2';
import { readMarkup, stopMarkup } from '#adapters/catalog/markup';

/** Name and attributes have no prefixes, which repositories choose freely. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
  /** Its text, without that of its children. */
  readonly text: string;
}

type OpenNode = XmlNode & { readonly children: OpenNode[]; text: string };
const MAX_DEPTH = 50;
const MAX_TEXT = 100_000;

interface XmlSelection {
  /** The outermost element: a document with another one is not read. */
  readonly root: string;
  readonly names: ReadonlySet<string>;
  readonly place: string;
}

/** Reads the elements of a document that have certain names. Ignores entities that the document
 *  defines, which could expand without limit.
 *  Shape:  `nodes` in order, without those within each other; `root` is empty without an element;
 *  `isWhole` is false for a truncated document, which is read as far as possible.
 *  Errors: those of `readMarkup`. */
export function readXmlTree(text: string, selection: XmlSelection) {
  const nodes: XmlNode[] = [];
  const open: OpenNode[] = [];
  let root = '';
  let depth = 0;
  let isWhole = false;
  const handler: Partial<Handler> = {
    onopentag(prefixed, attributes) {
      const name = localXmlName(prefixed);
      if (depth++ === 0) {
        root ||= name;
        if (root !== selection.root) stopMarkup();
      }
      if (open.length === 0 && !selection.names.has(name)) return;
      const node: OpenNode = { name, attributes: toLocalXmlNames(attributes), children: [], text: '' };
      // No format nests deeper; deeper elements are dropped.
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
      // Content after the document, such as notices of PHP, is ignored.
      if (isWhole) stopMarkup();
    },
  };
  readMarkup(text, handler, { place: selection.place, xmlMode: true });
  return { nodes, root, isWhole };
}

const localXmlName = (name: string): string => name.slice(name.indexOf(':') + 1);

const toLocalXmlNames = (attributes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [localXmlName(name), value]));

/** Finds the descendants of a node by the names on the way to them. */
export function findXmlNodes(node: XmlNode, ...path: readonly string[]): readonly XmlNode[] {
  return path.reduce<readonly XmlNode[]>(
    (elements, name) => elements.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [node],
  );
}

/** The trimmed texts of the nodes at a path, without empty ones. */
export function readXmlTexts(node: XmlNode, ...path: readonly string[]): string[] {
  return findXmlNodes(node, ...path)
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');
}
