import { Pool } from 'undici';

/** Connections that are kept open, as an application server holds them to its search service. */
export interface HttpClient {
  /** The body as it came, read to its end. Fails with the body where the status is not 200 or 201. */
  send(path: string, options?: { method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; body?: string }): Promise<string>;
  close(): Promise<void>;
}

/** At most; one is opened where a request waits for the one before. */
export const CONNECTIONS = 16;
const MINUTES_30 = 30 * 60_000;

export function createHttpClient(origin: string, headers: Record<string, string>): HttpClient {
  const client = new Pool(origin, {
    connections: CONNECTIONS,
    headersTimeout: MINUTES_30,
    bodyTimeout: MINUTES_30,
  });
  return {
    async send(path, { method = 'GET', body } = {}) {
      const answer = await client.request({ path, method, headers, ...(body !== undefined && { body }) });
      const text = await answer.body.text();
      if (answer.statusCode > 201) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
      return text;
    },
    close: () => client.close(),
  };
}
