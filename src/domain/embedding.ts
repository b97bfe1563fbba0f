/** How the content of an address can be shown within another page. */
export interface Embedding {
  /** Address for the frame; over https. */
  readonly src: string;
  /** Of `src`, for the policy of the page that frames it. */
  readonly origin: string;
  /** A `video` has 16:9; `interactive` things and pages take what space there is. */
  readonly kind: 'video' | 'interactive' | 'page';
}

interface Rule {
  /** Hosts it is for, without `www.`; one that begins with a dot stands for every host that ends so. */
  readonly hosts: readonly string[];
  readonly kind: Embedding['kind'];
  /** Where frames lead to, as a policy names it. */
  readonly source: string;
  /** Null where this address of the host has nothing that can be framed. */
  findSrc(url: URL): string | null;
}

const VIDEO_ID = /^[\w-]{11}$/;
const LIST_ID = /^[\w-]{12,64}$/;

/** Hosts that let their content be framed on any site, each with its player that tracks least. Others refuse (X-Frame-Options, or
 *  `frame-ancestors`), and would show an error in the frame. */
const rules: readonly Rule[] = [
  {
    // No cookies before it plays: https://support.google.com/youtube/answer/171780
    hosts: ['youtube.com', 'm.youtube.com', 'youtu.be', 'youtube-nocookie.com'],
    kind: 'video',
    source: 'https://www.youtube-nocookie.com',
    findSrc: findYouTube,
  },
  {
    // `dnt` keeps no session: https://developer.vimeo.com/player/sdk/embed
    hosts: ['vimeo.com', 'player.vimeo.com'],
    kind: 'video',
    source: 'https://player.vimeo.com',
    findSrc: findVimeo,
  },
  {
    // https://www.ted.com/about/our-organization/our-policies-terms/ted-talks-usage-policy
    hosts: ['ted.com', 'embed.ted.com'],
    kind: 'video',
    source: 'https://embed.ted.com',
    findSrc: findByPath(
      /^\/talks\/(?:lang\/[\w-]+\/)?([\w-]+)\/?$/,
      (talk) => `https://embed.ted.com/talks/${talk}`,
    ),
  },
  {
    // https://help.archive.org/help/how-can-i-embed-media/
    hosts: ['archive.org'],
    kind: 'page',
    source: 'https://archive.org',
    findSrc: findByPath(/^\/(?:details|embed)\/([\w.-]+)\/?$/, (item) => `https://archive.org/embed/${item}`),
  },
  {
    // https://phet.colorado.edu/en/help-center: simulations are made to be put into other pages
    hosts: ['phet.colorado.edu'],
    kind: 'interactive',
    source: 'https://phet.colorado.edu',
    findSrc: findByPath(/^(\/sims\/html\/[\w./-]+\.html)$/, (path) => `https://phet.colorado.edu${path}`),
  },
  {
    hosts: ['geogebra.org'],
    kind: 'interactive',
    source: 'https://www.geogebra.org',
    findSrc: findByPath(/^\/m\/(\w{6,12})\/?$/, (id) => `https://www.geogebra.org/material/iframe/id/${id}`),
  },
  {
    hosts: ['scratch.mit.edu'],
    kind: 'interactive',
    source: 'https://scratch.mit.edu',
    findSrc: findByPath(/^\/projects\/(\d+)/, (id) => `https://scratch.mit.edu/projects/${id}/embed`),
  },
  {
    hosts: ['.wikibooks.org', '.wikiversity.org', '.wikipedia.org'],
    kind: 'page',
    source: 'https://*.wikibooks.org https://*.wikiversity.org https://*.wikipedia.org',
    findSrc: ({ hostname, pathname }) =>
      pathname.startsWith('/wiki/') ? `https://${hostname}${pathname}` : null,
  },
];

/** Where frames of embedded content may lead, as `frame-src` of a policy names it. */
export const embeddingSources: readonly string[] = rules.flatMap(({ source }) => source.split(' '));

/** How to show the content of an address in a frame; null where its host does not allow that, or we do not know.
 *  @example findEmbedding('https://youtu.be/dQw4w9WgXcQ?t=1m30s')?.src // 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0&start=90' */
export function findEmbedding(address: string): Embedding | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const host = url.hostname.replace(/^www\./, '');
  const rule = rules.find(({ hosts }) => hosts.some((name) => isHost(host, name)));
  const src = rule?.findSrc(url) ?? null;
  return rule === undefined || src === null ? null : { src, origin: new URL(src).origin, kind: rule.kind };
}

function isHost(host: string, name: string): boolean {
  return name.startsWith('.') ? host.endsWith(name) : host === name;
}

function findByPath(pattern: RegExp, toSrc: (part: string) => string): Rule['findSrc'] {
  return ({ pathname }) => {
    const [, part] = pattern.exec(pathname) ?? [];
    return part === undefined ? null : toSrc(part);
  };
}

function findYouTube(url: URL): string | null {
  const { searchParams, hostname, pathname } = url;
  const [, fromPath] = /^\/(?:embed|shorts|live|v)\/([\w-]+)/.exec(pathname) ?? [];
  const id = hostname === 'youtu.be' ? pathname.slice(1) : (searchParams.get('v') ?? fromPath ?? '');
  const list = searchParams.get('list') ?? '';
  const query = new URLSearchParams({ rel: '0' });
  if (LIST_ID.test(list)) query.set('list', list);
  const start = readSeconds(searchParams.get('t') ?? searchParams.get('start') ?? '');
  if (start > 0) query.set('start', String(start));
  if (VIDEO_ID.test(id)) return `https://www.youtube-nocookie.com/embed/${id}?${query}`;
  return query.has('list') ? `https://www.youtube-nocookie.com/embed/videoseries?${query}` : null;
}

/** `90`, `90s`, `1m30s`, `1h2m3s`; 0 for anything else. */
function readSeconds(text: string): number {
  const [all, hours, minutes, seconds] = /^(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(text) ?? [];
  return all === undefined
    ? 0
    : Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
}

/** A video that is not listed has a second part in its address, without which it does not play. */
function findVimeo({ pathname, searchParams }: URL): string | null {
  const [, id, hashInPath] =
    /^\/(?:video\/|channels\/[\w-]+\/)?(\d{5,12})(?:\/([\da-f]{6,20}))?\/?$/.exec(pathname) ?? [];
  if (id === undefined) return null;
  const hash = hashInPath ?? searchParams.get('h');
  const query = new URLSearchParams({ dnt: '1', ...(hash && /^[\da-f]{6,20}$/.test(hash) && { h: hash }) });
  return `https://player.vimeo.com/video/${id}?${query}`;
}
