import { randomBytes } from 'node:crypto';
import { foldText } from '../../domain/text.ts';

const MAX_LENGTH = 40;
const RANDOM_LENGTH = 5;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** A new id for a tenant of this name: `lycee-hugo-7k3fq`. Its random end makes sure that no id is given out again after its
 *  tenant was deleted: keys, caches and links of the old one may still be about. */
export function makeTenantId(name: string): string {
  const words = foldText(name).match(/[a-z0-9]+/g) ?? ['tenant'];
  const slug = words.join('-').slice(0, MAX_LENGTH - RANDOM_LENGTH - 1);
  return `${slug.replace(/-$/, '')}-${randomPart()}`;
}

function randomPart(): string {
  return [...randomBytes(RANDOM_LENGTH)].map((byte) => BASE32[byte % BASE32.length]).join('');
}
