import { findByPath, type Site, writeOembedAddress } from './site.ts';

const TALK = /^\/talks\/(?:lang\/[\w-]+\/)?([\w-]+)\/?$/;

const findDescription = findByPath(TALK, (talk) =>
  writeOembedAddress('https://www.ted.com/services/v1/oembed.json', `https://www.ted.com/talks/${talk}`),
);

/** https://www.ted.com/about/our-organization/our-policies-terms/ted-talks-usage-policy */
export const ted: Site = {
  hosts: ['ted.com', 'embed.ted.com'],
  kind: 'video',
  sources: ['https://embed.ted.com'],
  findSrc: findByPath(TALK, (talk) => `https://embed.ted.com/talks/${talk}`),
  findPicture: findDescription,
  findWitness: findDescription,
};
