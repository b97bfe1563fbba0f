import type { Course, CourseLink, Person, Score, Tool } from '../../../demo/platform/model.ts';
import type { CopyNotice } from '../../../demo/platform/notices.ts';
import type { ChoiceOutcome, Endpoint, PlatformRequest, Refusal } from '../../../demo/platform/request.ts';
import type { PlatformDetails } from '../../../src/domain/lti/registration.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { LaunchFlowOptions, PreparedLaunch, SentLaunch } from './launch-flow.ts';
import type { FakePlatformMode } from './modes.ts';
import type { Answer } from './server.ts';

export interface FakePlatformOptions {
  /** `moodle` when absent. */
  readonly mode?: FakePlatformMode;
  /** Whether its pages answer for Platform Storage; false when absent. */
  readonly platformStorage?: boolean;
  /** Another site than the tool's: 127.0.0.1 where the tool is on localhost, and the default. */
  readonly host?: string;
  /** Canvas only: whether the issuer is the one of all schools, as on real ones. With it, dynamic registration has to be
   *  refused, because the issuer is at another host than its configuration. True when absent. */
  readonly hasSharedIssuer?: boolean;
  /** Of the site below its host: the end of the issuer. */
  readonly sitePath?: string;
  readonly clock?: Clock;
}

export interface LaunchWish extends LaunchFlowOptions {
  /** Id of a person; `ines` when absent, `lea` for a link. */
  readonly person?: string;
  readonly course?: string;
  /** Id of the link that is opened; objects are chosen where it is absent. */
  readonly link?: string;
  /** Id of the link whose object is chosen anew. */
  readonly replaces?: string;
  /** Place of Canvas where objects are chosen; `course_assignments_menu` when absent. */
  readonly placement?: string;
  readonly locale?: string;
  /** The tool's own, or the link's, when absent. */
  readonly targetLinkUri?: string;
  /** Client id; the first tool when absent. */
  readonly tool?: string;
}

/** What happened, in order. */
export interface FakeRecords {
  /** Every request that broke a rule. */
  readonly refusals: Refusal[];
  /** Ends of choices, in order. */
  readonly outcomes: ChoiceOutcome[];
  /** What reached it, in order. */
  readonly requests: PlatformRequest[];
  /** Registrations as they were sent. */
  readonly registrations: Record<string, unknown>[];
  /** What windows of the tool said to its pages (`org.imsglobal.lti.close`, `lti.frameResize`), Platform Storage aside. */
  readonly windowMessages: { readonly origin: string; readonly message: string }[];
}

export interface FakePlatform extends FakeRecords {
  readonly url: string;
  readonly issuer: string;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly people: ReadonlyMap<string, Person>;
  /** What stands in the courses, by id, in the order in which it came. */
  readonly links: Map<string, CourseLink>;
  readonly courses: Map<string, Course>;
  /** The latest score of each, by line item and person. */
  readonly scores: ReadonlyMap<string, Score>;
  /** For a registration by hand: what an administrator copies. */
  detailsOf(clientId: string): PlatformDetails;
  /** Registers a tool by hand, by its public address. */
  addTool(toolUrl: string, more?: Partial<Tool>): Tool;
  /** The tool's registration address as the platform opens it, with a token of its own. */
  registrationUrl(toolRegisterUrl: string, updates?: string): string;
  /** The platform's page that has it in a frame.
   *  @param updates client id of a tool that is there, for which the platform wants to know everything anew */
  registrationPageUrl(toolRegisterUrl: string, updates?: string): string;
  /** Puts a link into a course without a choice. */
  addLink(link: Partial<CourseLink>, scoreMaximum?: number): CourseLink;
  /** The links of the copy. */
  copyCourse(courseId: string): readonly CourseLink[];
  /** Signs with a new key from now on; the old one is published no more.
   *  @param keepsId whether the new one has its name: false when absent */
  rotateKeys(options?: { readonly keepsId?: boolean }): void;
  /** What an endpoint answers the next times, whatever it was asked. */
  answerWith(
    endpoint: Endpoint | 'register' | '.well-known',
    answer: Partial<Answer> & { readonly status: number },
    times?: number,
  ): void;
  /** Tells a tool that courses were copied. @returns the HTTP status; null where the tool does not want to know */
  sendCopies(notices: readonly CopyNotice[]): Promise<number | null>;
  /** A whole launch up to the message, which is not sent. */
  prepareLaunch(wish?: LaunchWish): Promise<PreparedLaunch>;
  sendLaunch(prepared: PreparedLaunch): Promise<SentLaunch>;
  /** A whole launch. */
  launch(wish?: LaunchWish): Promise<SentLaunch>;
  /** The platform's page that does a launch in a browser: in a frame of 770×578 pixels, or in its own place. */
  launchPageUrl(
    wish?: LaunchWish & { readonly framed?: boolean; readonly width?: number; readonly height?: number },
  ): string;
  /** Gives a choice back, as the tool's page would. */
  returnChoice(returnUrl: string, jwt: string): Promise<Response>;
  stop(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}
