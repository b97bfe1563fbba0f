import type { Course, CourseLink, MessageRequest, Person, PlatformState, Tool } from '../../../demo/platform/model.ts';
import { allScopes } from '../../../demo/platform/vocabulary.ts';
import type { LaunchWish } from './fake-platform.ts';

/** An instructor, three learners, an administrator, and one who takes no part. */
export const fakePeople: readonly Person[] = [
  ['ines', 'Ines', 'Duarte', 'instructor', true],
  ['lea', 'Léa', 'Martin', 'learner', true],
  ['liam', 'Liam', 'O’Brien', 'learner', true],
  ['lucie', 'Lucie', 'Bernard', 'learner', true],
  ['ada', 'Ada', 'Admin', 'administrator', false],
  ['uma', 'Uma', 'Outside', 'learner', false],
].map(([id, givenName, familyName, role, isEnrolled]) => ({
  id: id as string,
  givenName: givenName as string,
  familyName: familyName as string,
  email: `${id}@school.example`,
  role: role as Person['role'],
  isEnrolled: isEnrolled as boolean,
}));

export const fakeCourses: readonly Course[] = [
  {
    id: 'course-1',
    label: 'DATA-1',
    title: 'Introduction to data analysis',
    history: [],
  },
  { id: 'course-2', label: 'DATA-2', title: 'Copy of the course', history: ['course-1'] },
];

export interface FakeCourseChanges {
  addTool(toolUrl: string, more?: Partial<Tool>): Tool;
  addLink(link: Partial<CourseLink>, scoreMaximum?: number): CourseLink;
  /** The copy with its links, each with a line item of its own where it is graded. */
  copyCourse(courseId: string): readonly CourseLink[];
  toMessage(wish: LaunchWish): MessageRequest;
}

/** What tests do to the courses beside the protocol. */
export function createFakeCourseChanges(state: PlatformState): FakeCourseChanges {
  function getTool(clientId?: string): Tool {
    const tool = clientId === undefined ? [...state.tools.values()][0] : state.tools.get(clientId);
    if (tool === undefined) throw new Error(`No tool is registered as ${clientId ?? 'anything'}`);
    return tool;
  }

  return {
    addTool(toolUrl, more = {}) {
      const tool = { ...toolByHand(toolUrl, state.tools.size + 1), ...more };
      state.tools.set(tool.clientId, tool);
      return tool;
    },

    addLink(more, scoreMaximum) {
      const id = more.id ?? state.takeId();
      const lineItemId = scoreMaximum === undefined ? null : id;
      const link = { ...anyLink(id, getTool(more.clientId)), lineItemId, ...more };
      state.links.set(id, link);
      if (scoreMaximum !== undefined) {
        const { courseId, title: label } = link;
        const item = { id, courseId, linkId: id, label, scoreMaximum, resourceId: null, tag: null };
        state.lineItems.set(id, item);
      }
      return link;
    },

    copyCourse(courseId) {
      const original = state.courses.get(courseId)!;
      const copy = { ...original, id: `copy-${state.takeId()}`, history: [courseId, ...original.history] };
      state.courses.set(copy.id, copy);
      const links = [...state.links.values()].filter((link) => link.courseId === courseId);
      return links.map((link) => {
        const id = state.takeId();
        const item = link.lineItemId === null ? undefined : state.lineItems.get(link.lineItemId);
        const lineItemId = item === undefined ? null : state.takeId();
        if (item !== undefined && lineItemId !== null)
          state.lineItems.set(lineItemId, { ...item, id: lineItemId, courseId: copy.id, linkId: id });
        const copied = { ...link, id, courseId: copy.id, lineItemId, history: [link.id, ...link.history] };
        state.links.set(id, copied);
        return copied;
      });
    },

    toMessage(wish) {
      const tool = getTool(wish.tool);
      const link = wish.link === undefined ? undefined : state.links.get(wish.link);
      if (wish.link !== undefined && link === undefined) throw new Error(`There is no link ${wish.link}`);
      const common = {
        clientId: tool.clientId,
        personId: wish.person ?? (link === undefined ? 'ines' : 'lea'),
        courseId: wish.course ?? link?.courseId ?? 'course-1',
        targetLinkUri: wish.targetLinkUri ?? link?.url ?? tool.targetLinkUri,
        locale: wish.locale ?? 'en',
      };
      return link === undefined
        ? {
            ...common,
            kind: 'deep-linking',
            linkId: wish.replaces ?? null,
            placement: wish.placement ?? null,
          }
        : { ...common, kind: 'resource-link', linkId: link.id };
    },
  };
}

const toolByHand = (toolUrl: string, number: number): Tool => ({
  clientId: `client-by-hand-${number}`,
  deploymentId: `${number}`,
  name: 'Skilldock',
  initiateLoginUri: `${toolUrl}/lti/login`,
  targetLinkUri: `${toolUrl}/lti/launch`,
  redirectUris: [`${toolUrl}/lti/launch`],
  jwksUri: `${toolUrl}/lti/keys`,
  scopes: allScopes,
});

const anyLink = (id: string, { clientId, targetLinkUri }: Tool): CourseLink => ({
  id,
  courseId: 'course-1',
  clientId,
  placement: null,
  title: `Link ${id}`,
  text: '',
  url: targetLinkUri,
  custom: {},
  target: 'iframe',
  lineItemId: null,
  history: [],
});
