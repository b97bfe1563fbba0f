interface CatalogAddresses {
  /** Origins of the nodes. */
  readonly nodes: readonly string[];
  readonly user?: { readonly name: string; readonly password: string };
  readonly prefix: string;
}

const DEFAULT_PREFIX = 'skilldock';
const PREFIX = /^[a-z][a-z0-9-]{0,63}$/;

/** Parses a comma-separated list of `https://user:password@host:9200/prefix`. Returns null if an
 *  address is invalid, or they differ in more than the host. */
export function parseCatalogAddresses(list: string): CatalogAddresses | null {
  const texts = list.split(',').map((text) => text.trim());
  if (!texts.every((text) => URL.canParse(text))) return null;
  const urls = texts.map((text) => new URL(text));
  const [first] = urls;
  if (first === undefined || !/^https?:$/.test(first.protocol)) return null;
  const isLike = ({ protocol, username, password, pathname }: URL) =>
    protocol === first.protocol &&
    username === first.username &&
    password === first.password &&
    pathname === first.pathname;
  const prefix = first.pathname.replaceAll('/', '') || DEFAULT_PREFIX;
  if (!urls.every(isLike) || !PREFIX.test(prefix)) return null;
  if (urls.some(({ search, hash }) => search !== '' || hash !== '')) return null;
  if (!isEncodedAddress(first.username) || !isEncodedAddress(first.password)) return null;
  const [name, password] = [first.username, first.password].map(decodeURIComponent);
  return {
    nodes: urls.map(({ origin }) => origin),
    ...(name && { user: { name, password: password ?? '' } }),
    prefix,
  };
}

function isEncodedAddress(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
