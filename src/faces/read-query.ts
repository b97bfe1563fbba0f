import type { Request } from 'express';

/** The query of a request as it was sent, also below the mount point of a router. */
export const readQuery = ({ originalUrl }: Pick<Request, 'originalUrl'>): URLSearchParams =>
  new URLSearchParams(readRawQuery(originalUrl));

/** After the `?`, undecoded; empty where there is none. */
export const readRawQuery = (address: string): string => {
  const start = address.indexOf('?');
  return start < 0 ? '' : address.slice(start + 1);
};
