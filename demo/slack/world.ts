/** Who and what is in this Slack from the beginning. */
export interface SlackWorld {
  readonly organisations: readonly Organisation[];
  readonly teams: readonly Team[];
  readonly members: readonly Member[];
  readonly channels: readonly Channel[];
}

/** Of Enterprise Grid. */
export interface Organisation {
  /** `E1WORLD`. */
  readonly id: string;
  readonly name: string;
}

export interface Team {
  /** `T1ACME`. */
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly enterpriseId: string | null;
}

export interface Member {
  /** `U1ADA`. */
  readonly id: string;
  readonly teamIds: readonly string[];
  /** In lower case, as it is mentioned. */
  readonly name: string;
  readonly realName: string;
  /** `fr-FR`. */
  readonly locale: string;
}

export interface Channel {
  /** `C1GENERAL`, or `D…` for a conversation of two. */
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly kind: 'public' | 'private' | 'direct';
  readonly memberIds: readonly string[];
  /** Only there it may post. */
  readonly hasApp: boolean;
}

/** The app as its page at api.slack.com has it. */
export interface ConnectedApp {
  /** `A1SKILLDOCK`. */
  readonly appId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
  /** Commands, interactions and events go there. */
  readonly eventsUrl: string;
  /** Where people may be sent back to after OAuth. */
  readonly redirectUrl: string;
}

/** Somebody in a conversation. */
export interface Actor {
  readonly userId: string;
  readonly teamId: string;
  readonly channelId: string;
}
