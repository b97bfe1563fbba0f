const ESCO_URI = /https?:\/\/data\.europa\.eu\/esco\/([a-z-]+)\/([A-Za-z0-9.-]+)/;
/** ISCO groups begin with a letter in ESCO. */
const ISCO_CODE = /^C?(\d{1,4})$/;

/** Id of the concept that an address of ESCO names, whatever stands before it in the cell: `esco:skill.<uuid>`,
 *  `esco:isced-f.0011`; of ISCO groups that of the starter taxonomy, `isco-08:2654`. Null for anything else. */
export function escoIdOf(uri: string): string | null {
  const [, scheme = '', code = ''] = ESCO_URI.exec(uri) ?? [];
  if (scheme === '' || code === '') return null;
  return scheme === 'isco' ? iscoIdOf(code) : `esco:${scheme}.${code}`;
}

/** Id of an ISCO group by its code, `2654` or `C2654`. Null for anything else. */
export function iscoIdOf(code: string): string | null {
  const [, digits] = ISCO_CODE.exec(code.trim()) ?? [];
  return digits === undefined ? null : `isco-08:${digits}`;
}
