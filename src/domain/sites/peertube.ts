import { type Site, writeOembedAddress } from './site.ts';

/** Anyone can run one; frames lead only to those that publish for learning. https://docs.joinpeertube.org/api/embed-player */
const hosts = ['tube.reseau-canope.fr', 'framatube.org'];

/** A UUID, or the short form of one. */
const VIDEO =
  /^\/(?:w|videos\/(?:watch|embed))\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\dA-Za-z]{22})\/?$/;

export const peertube: Site = {
  hosts,
  kind: 'video',
  sources: hosts.map((host) => `https://${host}`),
  findSrc({ hostname, pathname }) {
    const [, id] = VIDEO.exec(pathname) ?? [];
    return id === undefined ? null : `https://${hostname}/videos/embed/${id}`;
  },
  findPicture: findDescription,
  findWitness: findDescription,
};

function findDescription({ hostname, pathname }: URL): string | null {
  const [, id] = VIDEO.exec(pathname) ?? [];
  if (id === undefined) return null;
  return writeOembedAddress(`https://${hostname}/services/oembed`, `https://${hostname}/videos/watch/${id}`);
}
