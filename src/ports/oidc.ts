/** Sign-in at an OpenID Connect provider, by authorization code with PKCE. */
export interface Oidc {
  readonly name: string;
  /** Begins a sign-in at `url`. The caller stores `kept` until the browser returns with `state`.
   *  Errors: OIDC_UNAVAILABLE. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly state: string; readonly kept: string }>;
  /** Completes a sign-in. Errors: OIDC_FAILED for anything but a valid sign-in; OIDC_UNAVAILABLE.
   *  @param callbackUrl the whole address to which the browser returned */
  finish(callbackUrl: string, kept: string): Promise<OidcIdentity>;
}

export interface OidcIdentity {
  /** Issuer and subject, with a blank between them. */
  readonly subject: string;
  /** User name, e-mail address or name; null if the provider gives none. */
  readonly name: string | null;
  /** Values of the claim that gives roles; null if the provider gives none, or none is read. */
  readonly claimed: readonly string[] | null;
}
