type LicenseRights = Readonly<Record<'mayShare' | 'mayAdapt' | 'commercial', boolean>>;

export const SPDX_PATTERN = /^[A-Za-z0-9.+-]{1,60}$/;
const allRights: LicenseRights = { mayShare: true, mayAdapt: true, commercial: true };

/** SPDX identifiers of licences that allow all three. */
const OPEN =
  /^(?:0BSD|AFL|AGPL|Apache|Artistic|BSD|BSL|CDLA-Permissive|CECILL|ECL|EPL|EUPL|etalab|FSFAP|GFDL|GPL|ISC|LAL|LGPL|MIT|MPL|MulanPSL|NCSA|NLOD|OFL|OGL|ODC-By|ODbL|OGTSL|PDDL|PostgreSQL|Python|Unlicense|UPL|Zlib)(?:-[A-Za-z0-9.+-]*)?$/i;
const CC_CODE = /^cc-(by(?:-(?:nc|sa|nd))*)(?:-(\d\.\d))?(?:-([a-z]{2,4}))?$/i;
const CC_ZERO = /^cc-?0(?:-1\.0)?$/i;
const CC_ADDRESS =
  /https?:\/\/(?:www\.)?creativecommons\.org\/(?:licenses\/([a-z-]+)|(publicdomain|licenses\/publicdomain))(?:\/[a-z\d.]+)*\/?/i;

/** Finds what a licence allows; null if unknown. @param license its SPDX identifier or address
 *  @example findLicenseRights('CC-BY-NC-4.0')
 *  // { mayShare: true, mayAdapt: true, commercial: false } */
export function findLicenseRights(license: string): LicenseRights | null {
  const [address, ofAddress, publicDomain] = CC_ADDRESS.exec(license) ?? [];
  if (publicDomain !== undefined || CC_ZERO.test(license)) return allRights;
  const code = address === undefined ? CC_CODE.exec(license)?.[1] : ofAddress;
  if (code === undefined) return OPEN.test(license) ? allRights : null;
  const parts = code.toLowerCase().split('-');
  return { mayShare: true, mayAdapt: !parts.includes('nd'), commercial: !parts.includes('nc') };
}

/** Reads an SPDX identifier or an address; undefined for other texts, as a licence is never
 *  guessed.
 *  @example readLicense('CC BY-SA 4.0') // 'CC-BY-SA-4.0' */
export function readLicense(text: string): string | undefined {
  const trimmed = text.trim();
  const [creativeCommons] = CC_ADDRESS.exec(trimmed) ?? [];
  if (creativeCommons !== undefined) return creativeCommons.replace(/^http:/i, 'https:');
  if (/^https?:\/\/\S{1,2000}$/i.test(trimmed) && URL.canParse(trimmed)) return readLicenseAddress(trimmed);
  const id = trimmed.replace(/\s+/g, '-');
  if (CC_ZERO.test(id) || /^cc-?zero$/i.test(id)) return 'CC0-1.0';
  const [, code, version, country] = CC_CODE.exec(id) ?? [];
  if (code !== undefined && version === undefined) return `https://creativecommons.org/licenses/${code.toLowerCase()}/`;
  if (code !== undefined) return ['CC', code, version, country].filter(Boolean).join('-').toUpperCase();
  return SPDX_PATTERN.test(trimmed) && OPEN.test(trimmed) ? trimmed : undefined;
}

/** Reads the identifier in an address of SPDX or OSI; returns other addresses unchanged. */
function readLicenseAddress(address: string): string {
  const [, id] =
    /^https?:\/\/(?:spdx\.org\/licenses|opensource\.org\/licenses?)\/([\w.+-]+?)(?:\.html|\/)?$/i.exec(address) ?? [];
  return id !== undefined && OPEN.test(id) ? id : address;
}

/** Names a licence for readers: `CC BY-SA 4.0`, `MIT`, or the site of an address. */
export function nameLicense(license: string): string {
  const [address, ofAddress, publicDomain] = CC_ADDRESS.exec(license) ?? [];
  if (address !== undefined) {
    const [, version] = /\/(\d\.\d)\//.exec(`${address}/`) ?? [];
    if (publicDomain !== undefined) return /\/zero\//.test(address) ? 'CC0' : 'Public Domain';
    return ['CC', ofAddress?.toUpperCase(), version].filter(Boolean).join(' ');
  }
  const [, code, version] = CC_CODE.exec(license) ?? [];
  if (code !== undefined) return ['CC', code.toUpperCase(), version].filter(Boolean).join(' ');
  if (CC_ZERO.test(license)) return 'CC0';
  return URL.canParse(license) ? new URL(license).hostname.replace(/^www\./, '') : license;
}

/** Returns the address of the licence text; null for an unknown identifier. */
export function linkLicense(license: string): string | null {
  if (/^https?:\/\//i.test(license)) return license;
  if (CC_ZERO.test(license)) return 'https://creativecommons.org/publicdomain/zero/1.0/';
  const [, code, version = '4.0', country] = CC_CODE.exec(license) ?? [];
  if (code !== undefined)
    return `https://creativecommons.org/licenses/${[code, version, country].filter(Boolean).join('/').toLowerCase()}/`;
  return OPEN.test(license) ? `https://spdx.org/licenses/${license}.html` : null;
}
