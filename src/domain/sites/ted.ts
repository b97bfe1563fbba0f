import { findByPath, type Site } from './site.ts';

/** https://www.ted.com/about/our-organization/our-policies-terms/ted-talks-usage-policy */
export const ted: Site = {
  hosts: ['ted.com', 'embed.ted.com'],
  kind: 'video',
  sources: ['https://embed.ted.com'],
  findSrc: findByPath(
    /^\/talks\/(?:lang\/[\w-]+\/)?([\w-]+)\/?$/,
    (talk) => `https://embed.ted.com/talks/${talk}`,
  ),
};
