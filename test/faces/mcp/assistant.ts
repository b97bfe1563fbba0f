import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

type Metadata = OAuthClientProvider['clientMetadata'];

/** An assistant of the official client that somebody has to let in, and that keeps what it is given
 *  in memory. */
export interface Assistant {
  readonly client: Client;
  /** Where it sends somebody's browser. */
  readonly asked: () => URL;
  /** Its tokens, once it has some. */
  readonly tokens: () => { access_token: string; refresh_token?: string | undefined };
  /** Its id at the host. */
  readonly clientId: () => string;
  /** Goes on with the address that it was answered at. */
  enter(answered: string): Promise<void>;
  close(): Promise<void>;
}

export const CALLBACK = 'http://127.0.0.1:33418/callback';

/** Asks to be let in: afterwards its person has to answer. @param mode which protocol it begins
 *  with */
export async function askIn(url: string, mode: 'legacy' | 'auto' = 'auto'): Promise<Assistant> {
  const kept: Record<string, unknown> = {};
  const get = <T>(name: string) => kept[name] as T;
  let asked: URL | undefined;
  const clientMetadata: Metadata = {
    client_name: 'Test assistant',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata,
    state: () => 'a state',
    clientInformation: () => get('client'),
    saveClientInformation(client) {
      kept.client = client;
    },
    tokens: () => get('tokens'),
    saveTokens(tokens) {
      kept.tokens = tokens;
    },
    redirectToAuthorization(address) {
      asked = address;
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier;
    },
    saveDiscoveryState(state) {
      kept.discovery = state;
    },
    discoveryState: () => get('discovery'),
    codeVerifier: () => get<string>('verifier'),
  };
  const open = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: provider });
  const newClient = () =>
    new Client({ name: 'test', version: '1' }, mode === 'auto' ? { versionNegotiation: { mode } } : {});
  let client = newClient();
  const first = open();
  await client.connect(first).then(
    () => {
      throw new Error('It was let in without being asked about');
    },
    (error: Error) => {
      if (asked === undefined) throw error;
    },
  );
  return {
    get client() {
      return client;
    },
    asked: () => asked!,
    tokens: () => get('tokens'),
    clientId: () => get<{ client_id: string }>('client').client_id,
    async enter(answered) {
      const { searchParams } = new URL(answered);
      await first.finishAuth(searchParams);
      client = newClient();
      await client.connect(open());
    },
    close: () => client.close(),
  };
}

/** A client with a key, or a token. */
export async function connectWith(
  url: string,
  bearer: string,
  mode: 'legacy' | 'auto' = 'auto',
  language = 'en',
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, mode === 'auto' ? { versionNegotiation: { mode } } : {});
  const headers = { authorization: `Bearer ${bearer}`, 'accept-language': language };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return client;
}
