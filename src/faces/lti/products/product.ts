import type { LtiProduct } from '#domain/lti/registration';

/** What is peculiar to the platforms of one product. No other file asks which product a platform
 *  is: all differences are written down here. */
export interface ProductTraits {
  readonly product: LtiProduct;
  /** As people call it. */
  readonly name: string;
  /** How `product_family_code` begins, in small letters: platforms write it with and without their
   *  edition. */
  readonly families: readonly string[];
  /** Whether platforms of many institutions have the same issuer, so that it does not identify any
   *  of them. */
  readonly sharesIssuer: boolean;
  /** Sources of `frame-ancestors` beside the origin of the authorization endpoint, which is not
   *  where the courses are: schools have domains of their own there. */
  readonly framedBy: readonly string[];
  /** `aud` of token requests where it is not the token endpoint. */
  readonly tokenAudience: string | null;
  /** Characters of an item's title at most. */
  readonly maxTitleLength: number;
  /** Whole points of an item at most. */
  readonly maxPoints: number;
  /** Properties of an item that the platform reads. */
  readonly honours: {
    readonly lineItem: boolean;
    readonly available: boolean;
    readonly submission: boolean;
    readonly window: boolean;
  };
  /** Whose words tell where names are shared: settings have names of their own in each product. */
  readonly namesWords: 'generic' | 'moodle' | 'canvas';
  /** Whether an instructor who is a learner among the members of a course may not change it. */
  readonly showsEditorsInMembers: boolean;
  /** Subject of the message to the parent window that sets the height of our frame; null where
   *  there is none. */
  readonly resizeSubject: string | null;
  /** Whether it shows icons in one colour of its own, where a picture with a ground becomes a
   *  square. */
  readonly tintsIcons: boolean;
  /** What people still have to do in the platform once they have chosen, as a key of `tray.last`;
   *  null for nothing. */
  readonly lastStep: 'moodle' | null;
  /** Beside the fields of a score. */
  readonly scoreExtras: Readonly<Record<string, unknown>>;
  readonly registration: RegistrationTraits;
}

/** For dynamic registration. */
export interface RegistrationTraits {
  /** `placements` of a message of the tool configuration, by message type; null where the message
   *  is not registered. */
  readonly placements: {
    readonly deepLinking: readonly string[];
    readonly resourceLink: readonly string[] | null;
  };
  /** Whether an update of the tool sets back where teachers find it. */
  readonly forgetsUsage: boolean;
  /** Beside the fields of the tool configuration, and of each of its messages. */
  readonly toolExtras: Readonly<Record<string, unknown>>;
  readonly messageExtras: Readonly<Record<string, unknown>>;
}

/** What shows which product a platform is. */
export interface PlatformSigns {
  readonly issuer: string;
  /** `product_family_code` of a launch's tool platform claim or of a platform configuration; null
   *  where it says nothing. */
  readonly family: string | null;
}
