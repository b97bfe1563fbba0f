/** A browser as far as an installation needs one: it keeps cookies, and follows nothing by itself. */
export function createBrowser({ language = 'en' } = {}) {
  const cookies = new Map<string, string>();
  return {
    async get(url: string): Promise<Response> {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { 'Accept-Language': language, ...(cookie !== '' && { Cookie: cookie }) };
      const response = await fetch(url, { redirect: 'manual', headers });
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
        cookies.set(name!, value!);
      }
      return response;
    },
  };
}

export type Browser = ReturnType<typeof createBrowser>;

export const locationOf = (response: Response): string => response.headers.get('location')!;
