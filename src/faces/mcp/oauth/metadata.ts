import { ASSISTANT_PATH, ASSISTANT_SCOPE } from '#domain/assistants';

/** Where the authorization server is, below the address of the host. */
export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

/** What is protected, and who gives tokens for it (RFC 9728). */
export const writeResourceMetadata = (publicUrl: string) => ({
  resource: publicUrl + ASSISTANT_PATH,
  authorization_servers: [publicUrl],
  scopes_supported: [ASSISTANT_SCOPE],
  bearer_methods_supported: ['header'],
  resource_name: 'Skilldock',
  resource_documentation: `${publicUrl}/docs/guides/assistants`,
});

/** What the authorization server can do (RFC 8414, RFC 9207, client id metadata documents). */
export const writeServerMetadata = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: publicUrl + oauthPaths.authorize,
  token_endpoint: publicUrl + oauthPaths.token,
  registration_endpoint: publicUrl + oauthPaths.register,
  revocation_endpoint: publicUrl + oauthPaths.revoke,
  scopes_supported: [ASSISTANT_SCOPE],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${publicUrl}/docs/guides/assistants`,
});
