/** Who does something that the audit trail keeps. */
export interface Actor {
  /** Someone on the admin page, someone at the command line, or the host itself. */
  readonly kind: 'admin' | 'command' | 'system';
  /** Id of the administrator; null for the other kinds. */
  readonly id: string | null;
  /** As it is shown: the administrator's name, the account that ran the command. */
  readonly name: string;
  /** Network address the request came from; null where there was none. */
  readonly address: string | null;
}

/** The host itself. */
export const systemActor: Actor = { kind: 'system', id: null, name: 'Skilldock', address: null };
