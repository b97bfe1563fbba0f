/** Sign-in at an OpenID Connect provider, by authorization code with PKCE. */
export interface Oidc {
  readonly name: string;
  /** `kept` must be stored until the browser returns. Errors: OIDC_UNAVAILABLE. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly state: string; readonly kept: string }>;
  /** Errors: OIDC_FAILED for anything but a valid sign-in; OIDC_UNAVAILABLE.
   *  @param callbackUrl the whole address to which the browser returned */
  finish(callbackUrl: string, secrets: string): Promise<OidcIdentity>;
}

export interface OidcIdentity {
  /** `issuer subject`. */
  readonly subject: string;
  /** User name, e-mail address or name; null if the provider gives none. */
  readonly name: string | null;
  /** Values of the claim that gives roles; null if the provider gives none, or none is read. */
  readonly claimed: readonly string[] | null;
}
