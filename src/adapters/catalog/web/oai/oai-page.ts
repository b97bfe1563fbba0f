import { readXml, textsAt, type XmlNode } from '../xml-tree.ts';

/** An answer of a repository. */
export interface OaiPage {
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  readonly records: readonly XmlNode[];
  /** To go on with; null at the end of the list. */
  readonly token: string | null;
  readonly repositoryName: string | undefined;
  /** Prefixes of the formats it offers. */
  readonly formats: readonly string[];
}

const names = new Set(['error', 'record', 'resumptionToken', 'repositoryName', 'metadataFormat']);

/** Null where it is no answer of a repository, or one that was cut off: to take that for the end of a list would be to lose
 *  what comes after it. */
export function readOaiPage(text: string): OaiPage | null {
  const { nodes, root, isWhole } = readXml(text, names);
  if (root !== 'OAI-PMH' || !isWhole) return null;
  const named = (name: string) => nodes.filter((node) => node.name === name);
  return {
    errors: named('error').map((node) => ({ code: node.attributes.code ?? '', message: node.text.trim() })),
    records: named('record'),
    token: named('resumptionToken')[0]?.text.trim() || null,
    repositoryName: named('repositoryName')[0]?.text.trim(),
    formats: named('metadataFormat').flatMap((node) => textsAt(node, 'metadataPrefix')),
  };
}
