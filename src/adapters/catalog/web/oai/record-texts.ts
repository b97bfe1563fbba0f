/** The first that can be opened in a browser; a DOI can, too. */
export function firstAddress(identifiers: readonly string[]): string | undefined {
  const address = identifiers.find((text) => /^https?:\/\//i.test(text));
  if (address !== undefined) return address;
  const doi = identifiers.map((text) => /^(?:doi:\s*)?(10\.\d{4,9}\/\S+)$/i.exec(text)?.[1]).find(Boolean);
  return doi === undefined ? undefined : `https://doi.org/${doi}`;
}

export function isOpenLicense(rights: string): boolean {
  return /creativecommons\.org|\bcc[ -](?:by|0)\b|public domain/i.test(rights);
}
