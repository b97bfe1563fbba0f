import type { Services } from '#compose/services';
import type { PictureLinks } from '#domain/picture';
import type { SkillPages } from '#faces/object-view/skill-address';
import type { Clock } from '#ports/clock';
import type { LtiPlatforms } from '#ports/lti-platforms';
import type { ReadPageAt } from '#services/catalogue/objects/page-reader';

export interface LtiFaceDeps
  extends SkillPages,
    Pick<Services, 'launches' | 'placements' | 'linkChecks' | 'deadLinks' | 'completions' | 'readCourseOverview'>,
    Pick<Services, 'discoveryOf' | 'browsingOf' | 'trialOf' | 'feedback' | 'shelf' | 'objects' | 'plans'>,
    Pick<Services, 'suggestionLimit' | 'upstreams' | 'people' | 'selections' | 'personSessions'>,
    Pick<Services, 'keyring' | 'tenants' | 'assistants' | 'personData' | 'ltiRegistrationLinks' | 'ltiFeedbackLimit'> {
  readonly insight: Pick<Services['insight'], 'noteSearch' | 'noteOpened' | 'noteObject'>;
  readonly cachedObjects: Pick<Services['cachedObjects'], 'find'>;
  readonly registrations: Services['ltiRegistrations'];
  readonly platforms: LtiPlatforms;
  readonly pictures: PictureLinks;
  readonly readObjectPage: ReadPageAt;
  /** Tells whether people of this tenant can have another shelf, in Slack or with an assistant. */
  hasOtherShelves(tenantId: string): Promise<boolean>;
  readonly clock: Clock;
  readonly publicUrl: string;
  onProblem(error: unknown): void;
}
