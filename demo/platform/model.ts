/** What an LTI platform keeps: people, courses, what stands in them, and the tools that may be
 *  launched from them. */

export interface Person {
  readonly id: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly email: string;
  readonly role: 'instructor' | 'learner' | 'administrator';
  /** Inactive people take part in no course, and get no scores. */
  readonly isEnrolled: boolean;
}

export const nameOf = ({ givenName, familyName }: Pick<Person, 'givenName' | 'familyName'>): string =>
  `${givenName} ${familyName}`;

export interface Course {
  readonly id: string;
  readonly label: string;
  readonly title: string;
  /** By two-letter language, for those who read another one. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Ids of the courses it was copied from, the latest first. */
  readonly history: readonly string[];
}

/** A resource link: a tool's item as it stands in a course. */
export interface CourseLink {
  readonly id: string;
  readonly courseId: string;
  readonly clientId: string;
  /** Place in the course or of the platform where it was chosen; null where there are no several
   *  ones. */
  readonly placement: string | null;
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly custom: Readonly<Record<string, string>>;
  readonly target: 'iframe' | 'window';
  /** Null where it is not graded. */
  readonly lineItemId: string | null;
  /** Ids of the links it was copied from, the latest first. */
  readonly history: readonly string[];
}

export interface LineItem {
  readonly id: string;
  readonly courseId: string;
  readonly linkId: string | null;
  readonly label: string;
  readonly scoreMaximum: number;
  readonly resourceId: string | null;
  readonly tag: string | null;
}

export interface Score {
  readonly lineItemId: string;
  readonly userId: string;
  readonly scoreGiven: number | null;
  readonly scoreMaximum: number | null;
  readonly activityProgress: string;
  readonly gradingProgress: string;
  readonly comment: string | null;
  readonly timestamp: Date;
}

/** A tool as it is registered, with its one deployment. */
export interface Tool {
  readonly clientId: string;
  readonly deploymentId: string;
  readonly name: string;
  readonly initiateLoginUri: string;
  readonly targetLinkUri: string;
  /** Compared letter by letter. */
  readonly redirectUris: readonly string[];
  readonly jwksUri: string;
  /** Services it may use. */
  readonly scopes: readonly string[];
}

export interface PlatformState {
  readonly people: Map<string, Person>;
  readonly courses: Map<string, Course>;
  /** By client id. */
  readonly tools: Map<string, Tool>;
  readonly links: Map<string, CourseLink>;
  readonly lineItems: Map<string, LineItem>;
  /** The latest of each, by line item and person. */
  readonly scores: Map<string, Score>;
  /** Ids of links and line items: whole numbers, as many platforms have them, that are never given
   *  again. */
  takeId(): string;
}

export const scoreKey = (lineItemId: string, userId: string): string => `${lineItemId} ${userId}`;

/** @param firstId number of the first link or line item */
export function createPlatformState(people: readonly Person[], courses: readonly Course[], firstId = 1): PlatformState {
  let nextId = firstId;
  return {
    people: new Map(people.map((person) => [person.id, person])),
    courses: new Map(courses.map((course) => [course.id, course])),
    tools: new Map(),
    links: new Map(),
    lineItems: new Map(),
    scores: new Map(),
    takeId: () => String(nextId++),
  };
}

/** Removes a link, with its line item and the scores for that. False when there is none. */
export function removeLink({ links, lineItems, scores }: PlatformState, id: string): boolean {
  const lineItemId = links.get(id)?.lineItemId ?? null;
  if (lineItemId !== null) {
    lineItems.delete(lineItemId);
    for (const [key, score] of scores) if (score.lineItemId === lineItemId) scores.delete(key);
  }
  return links.delete(id);
}

/** What somebody opens. */
export type MessageRequest = {
  readonly clientId: string;
  readonly personId: string;
  readonly courseId: string;
  readonly targetLinkUri: string;
  /** As in `fr-CA`. */
  readonly locale: string;
} & (
  | { readonly kind: 'resource-link'; readonly linkId: string }
  /** `linkId` is the item that is to be changed; null for new ones. `placement` is the place it was
   *  opened at, where the platform knows several. */
  | {
      readonly kind: 'deep-linking';
      readonly linkId: string | null;
      readonly placement: string | null;
      /** What is to be chosen for, in the words of the course; absent where the platform does not
       *  say. */
      readonly about?: { readonly title: string; readonly text: string };
    }
);
