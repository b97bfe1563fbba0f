import { type Course, nameOf, type Person, type PlatformState } from './model.ts';
import { mediaTypeOf, onlyMethod, type PlatformReply, type PlatformRequest, refuse } from './request.ts';
import type { AccessTokens } from './token.ts';
import type { PlatformTraits } from './traits.ts';
import { mediaType, scope } from './vocabulary.ts';

/** Names and Role Provisioning Services: who takes part in a course, page by page.
 *  Source: LTI NRPS 2.0 (https://www.imsglobal.org/spec/lti-nrps/v2p0/). */
export interface MembershipsDeps {
  readonly serviceUrl: string;
  readonly traits: PlatformTraits;
  readonly state: PlatformState;
  readonly tokens: AccessTokens;
}

const MAX_PER_PAGE = 100;

export function createMemberships({ serviceUrl, traits, state, tokens }: MembershipsDeps) {
  return {
    /** Below `/memberships`. */
    answer(request: PlatformRequest, courseId: string): PlatformReply {
      onlyMethod(request, 'GET');
      tokens.admit(request, scope.memberships);
      if (!(request.headers.accept ?? '').split(',').map(mediaTypeOf).includes(mediaType.memberships))
        refuse(`accept must have ${mediaType.memberships}`, { status: 406 });
      const course = state.courses.get(courseId) ?? refuse('there is no such course', { status: 404 });
      const url = `${serviceUrl}/memberships/${courseId}`;
      const limit = Math.min(count(request, 'limit') || traits.membersPerPage, MAX_PER_PAGE);
      const from = count(request, 'from');
      const enrolled = [...state.people.values()].filter(({ isEnrolled }) => isEnrolled);
      const query = request.query.toString();
      const asked = query === '' ? url : `${url}?${query}`;
      const next = traits.nextMembers(asked, { limit, from: from + limit });
      return {
        kind: 'data',
        status: 200,
        mediaType: mediaType.memberships,
        headers: enrolled.length > from + limit ? { link: `<${next}>; rel="next"` } : {},
        body: {
          id: url,
          context: contextOf(course),
          members: enrolled.slice(from, from + limit).map(toWire),
        },
      };
    },
  };

  function toWire(person: Person) {
    const role = person.role === 'learner' ? 'Learner' : 'Instructor';
    return {
      status: 'Active',
      user_id: person.id,
      name: nameOf(person),
      given_name: person.givenName,
      family_name: person.familyName,
      email: person.email,
      roles: [traits.hasShortMemberRoles ? role : `http://purl.imsglobal.org/vocab/lis/v2/membership#${role}`],
    };
  }
}

const contextOf = ({ id, label, title }: Course) => ({ id, label, title });

/** 0 where there is none; what follows a number is ignored. */
function count({ query }: PlatformRequest, name: string): number {
  const number = Number.parseInt(query.get(name) ?? '', 10);
  return Number.isNaN(number) ? 0 : Math.max(number, 0);
}
