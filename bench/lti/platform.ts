import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

/** What both tools are registered as. */
export const CLIENT_ID = 'bench-client';
export const DEPLOYMENT_ID = '1';

export interface BenchPlatform {
  readonly url: string;
  /** The id_token of a resource link launch, with a signature of its own. */
  sign(nonce: string, targetLinkUri: string): Promise<string>;
  close(): void;
}

const LTI = 'https://purl.imsglobal.org/spec/lti/claim';
const signText = promisify(sign);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A platform that publishes its key on a real socket and signs as one does, without pages between. */
export async function startBenchPlatform(): Promise<BenchPlatform> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'bench', alg: 'RS256', use: 'sig' };
  const published = JSON.stringify({ keys: [jwk] });
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(published);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    async sign(nonce, targetLinkUri) {
      const text = `${encode({ alg: 'RS256', typ: 'JWT', kid: 'bench' })}.${encode(claims(url, nonce, targetLinkUri))}`;
      return `${text}.${(await signText('sha256', Buffer.from(text), privateKey)).toString('base64url')}`;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function claims(iss: string, nonce: string, targetLinkUri: string) {
  const iat = Math.floor(Date.now() / 1_000);
  return {
    iss,
    aud: CLIENT_ID,
    sub: randomUUID(),
    nonce,
    iat,
    exp: iat + 60,
    name: 'Lea Learner',
    given_name: 'Lea',
    family_name: 'Learner',
    email: 'lea@school.example',
    [`${LTI}/version`]: '1.3.0',
    [`${LTI}/message_type`]: 'LtiResourceLinkRequest',
    [`${LTI}/deployment_id`]: DEPLOYMENT_ID,
    [`${LTI}/target_link_uri`]: targetLinkUri,
    [`${LTI}/roles`]: ['http://purl.imsglobal.org/vocab/lis/v2/membership#Learner'],
    [`${LTI}/context`]: { id: 'course-1', label: 'DATA-1', title: 'Introduction to data analysis' },
    [`${LTI}/resource_link`]: { id: 'link-1', title: 'A talk' },
    [`${LTI}/custom`]: { placement: randomUUID() },
    [`${LTI}/launch_presentation`]: { locale: 'en', document_target: 'iframe' },
  };
}
