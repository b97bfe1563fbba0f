/** A browser as far as the admin page needs one: it keeps cookies, stays at redirects and sends
 *  forms as they were loaded. */
export interface AdminBrowser {
  /** By full name, as the browser keeps them. */
  readonly cookies: Map<string, string>;
  /** @param path below `/admin`, `/keys?page=1` */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** The text of a page that answers with `status`. */
  page(path: string, status?: number): Promise<string>;
  /** Send a form with the token of our own page. A list is sent as several fields of one name. */
  post(path: string, fields?: FormFields, options?: PostOptions): Promise<Response>;
  /** Send a form with one file at its end, as a browser does; null is a file field in which nothing
   *  was chosen. */
  postFile(path: string, fields: FormFields, file: FormFile | null, options?: PostOptions): Promise<Response>;
  /** The page a redirect leads to, through further ones; anything but 200 throws. */
  follow(response: Response): Promise<string>;
  /** What the hidden field `csrf` of our own pages holds now. */
  findCsrf(): Promise<string>;
}

export type FormFields = Readonly<Record<string, string | readonly string[]>>;

export interface FormFile {
  readonly name: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

export interface PostOptions {
  readonly headers?: Record<string, string>;
  /** Another token than that of our own page; null sends none. */
  readonly csrf?: string | null;
}

const MAX_REDIRECTS = 5;

export function createAdminBrowser(url: string, language = 'en'): AdminBrowser {
  const cookies = new Map<string, string>();
  let known = { cookies: '', csrf: '' };
  const cookieHeader = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { 'accept-language': language, cookie: cookieHeader(), ...init.headers };
    const response = await fetch(url + path, { ...init, headers, redirect: 'manual' });
    keepCookies(cookies, response);
    return response;
  }

  async function findCsrf(): Promise<string> {
    if (known.cookies === cookieHeader() && known.csrf !== '') return known.csrf;
    const open = await send('/admin/sign-in');
    const response = open.status === 200 ? open : await send('/admin/account');
    const csrf = /name="csrf" value="([^"]+)"/.exec(await response.text())?.[1];
    if (csrf === undefined) throw new Error(`The page without a form answered with ${response.status}`);
    known = { cookies: cookieHeader(), csrf };
    return csrf;
  }

  async function fill<F extends URLSearchParams | FormData>(
    form: F,
    fields: FormFields,
    csrf: string | null | undefined,
  ): Promise<F> {
    const token = csrf === undefined ? await findCsrf() : csrf;
    if (token !== null) form.append('csrf', token);
    for (const [name, value] of Object.entries(fields))
      for (const each of typeof value === 'string' ? [value] : value) form.append(name, each);
    return form;
  }

  async function follow(response: Response): Promise<string> {
    let current = response;
    for (let i = 0; i < MAX_REDIRECTS && current.status === 303; i++)
      current = await send(current.headers.get('location')!);
    return textOf(current, 200);
  }

  const get = (path: string, headers: Record<string, string> = {}) => send(`/admin${path}`, { headers });
  return {
    cookies,
    get,
    page: async (path, status = 200) => textOf(await get(path), status),
    async post(path, fields = {}, { headers = {}, csrf } = {}) {
      const body = await fill(new URLSearchParams(), fields, csrf);
      return send(`/admin${path}`, { method: 'POST', body, headers });
    },
    async postFile(path, fields, file, { headers = {}, csrf } = {}) {
      const body = await fill(new FormData(), fields, csrf);
      body.append('file', new File([file?.content ?? ''], file?.name ?? ''));
      return send(`/admin${path}`, { method: 'POST', body, headers });
    },
    follow,
    findCsrf,
  };
}

async function textOf(response: Response, status: number): Promise<string> {
  if (response.status !== status) throw new Error(`${response.url} answered with ${response.status}, not ${status}`);
  return response.text();
}

function keepCookies(cookies: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    const isGone = /expires=Thu, 01 Jan 1970/i.test(line);
    if (isGone) cookies.delete(name!);
    else cookies.set(name!, value!);
  }
}
