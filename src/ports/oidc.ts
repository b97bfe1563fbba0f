/** Sign-in at an OpenID Connect provider, by authorization code with PKCE. */
export interface Oidc {
  /** Its name on the button. */
  readonly name: string;
  /** Where to send the browser, and what must be kept until it comes back. `state` is in the
   *  address that comes back. Errors: OIDC_UNAVAILABLE when the provider cannot be reached. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly state: string; readonly kept: string }>;
  /** @param callbackUrl the whole address the browser came back to
   *  Errors: OIDC_FAILED when the provider or the browser gave anything but a valid sign-in;
   *  OIDC_UNAVAILABLE. */
  finish(callbackUrl: string, kept: string): Promise<OidcIdentity>;
}

export interface OidcIdentity {
  /** `issuer subject`. */
  readonly subject: string;
  /** User name, e-mail address or name from the provider; null where it gives none. */
  readonly name: string | null;
}
