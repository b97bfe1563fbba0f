import { toLearningMinutes } from '#domain/learning-object';
import { AppError } from '#errors';
import { openHandle } from '#faces/object-view/handle';
import { toObjectView } from '#faces/object-view/object-view';
import type { CourseResource } from '#services/courses/course-overview';
import { makeCsvDownload, toCsvColumns } from '../../downloads.ts';
import type { LtiFaceDeps } from '../deps.ts';
import { mayChangePeople } from '../object/people.ts';
import { replaceDeadLink, requireChange } from '../object/replace.ts';
import { createDayFormat, replyWithPart } from '../object/replies.ts';
import { listSimilarReplacements } from '../object/similar.ts';
import { type LaunchContext, type LtiReply, type LtiRoute, makeLtiPage, toTeacherActor } from '../route.ts';

export const courseRoutes: readonly LtiRoute[] = [
  { method: 'get', path: '/course', access: 'picker', handle: showCourse },
  { method: 'get', path: '/course.csv', access: 'picker', handle: downloadCourse },
  { method: 'get', path: '/course/replacements', access: 'picker', handle: showCourseReplacements },
  { method: 'post', path: '/course/replace', access: 'picker', handle: replaceCourseResource },
  { method: 'post', path: '/course/undo', access: 'picker', handle: undoCourseReplacement },
];

const MAX_PROPOSALS = 3;

async function readCourse(deps: LtiFaceDeps, { launch }: LaunchContext) {
  return deps.readCourseOverview(launch, await deps.completions.listTeachers(launch));
}

async function showCourse(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, token, t, locale, pictures, query } = context;
  const [{ resources, isCut }, mayChange] = await Promise.all([
    readCourse(deps, context),
    mayChangePeople(deps, context),
  ]);
  const isPicker = launch.deepLinking !== null;
  return makeLtiPage('course', {
    title: launch.context?.title ?? t('course.overview.title'),
    token,
    mayChange,
    isCut,
    resources: resources
      .filter(({ link }) => link !== null)
      .map((resource) => ({
        ...resource,
        state: findCourseResourceState(resource),
        view: toObjectView(resource.placement.object, { t, locale, pictures }),
      })),
    waiting: resources.filter(({ link }) => link === null),
    totals: sumUpCourseResources(resources),
    day: createDayFormat(locale),
    query: new URLSearchParams({ launch: token }).toString(),
    back: isPicker
      ? { path: '/lti/picker', key: 'course.overview.toPicker' }
      : { path: '/lti/object', key: 'lesson.back' },
    replaced: await findReplacedInCourse(deps, context, query.get('replaced')),
  });
}

function findCourseResourceState({ check, verdicts }: CourseResource): 'works' | 'reported' | 'dead' {
  if (check?.state === 'dead') return 'dead';
  return verdicts.broken > 0 ? 'reported' : 'works';
}

function sumUpCourseResources(resources: readonly CourseResource[]) {
  const sum = (read: (resource: CourseResource) => number | undefined | null) =>
    resources.reduce((total, resource) => total + (read(resource) ?? 0), 0);
  const minutesOf = ({ placement }: CourseResource) => toLearningMinutes(placement.object.learningTime);
  const hasUnknownHours = resources.some((resource) => minutesOf(resource) === undefined);
  const hours = sum(minutesOf) / 60;
  return {
    resources: resources.length,
    points: sum(({ placement }) => placement.points),
    // The page says “at least” if some hours are unknown, so they are not rounded up.
    hours: hasUnknownHours ? Math.floor(hours) : Math.round(hours),
    hasUnknownHours,
    broken: resources.filter((resource) => findCourseResourceState(resource) !== 'works').length,
  };
}

async function downloadCourse(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { t } = context;
  const { resources } = await readCourse(deps, context);
  const columns = toCsvColumns<CourseResource>((name) => t(`course.overview.columns.${name}`), {
    title: ({ title }) => title,
    provider: ({ placement }) => placement.object.provider ?? null,
    address: ({ placement }) => placement.object.url,
    points: ({ placement }) => placement.points,
    opened: ({ counts }) => counts.opened,
    completed: ({ counts }) => counts.completed,
    useful: ({ verdicts }) => verdicts.useful,
    notUseful: ({ verdicts }) => verdicts.notUseful,
    broken: ({ verdicts }) => verdicts.broken,
    link: (resource) => t(`course.overview.states.${findCourseResourceState(resource)}`),
  });
  return makeCsvDownload(`course-${deps.clock.now().toISOString().slice(0, 10)}.csv`, columns, resources);
}

/** Finds the link that a form names; null if it is of another course or has another resource. */
async function findCourseLink(deps: LtiFaceDeps, context: LaunchContext, fields: URLSearchParams) {
  const { resources } = await readCourse(deps, context);
  const resource = resources.find(
    ({ link, placement }) => link?.id === fields.get('link') && placement.id === fields.get('placement'),
  );
  return resource?.link ? { link: resource.link, placement: resource.placement } : null;
}

async function showCourseReplacements(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  await requireChange(deps, context);
  const opened = await findCourseLink(deps, context, context.query);
  if (opened === null) return redirectToCourse(context);
  const model = {
    items: (await listSimilarReplacements(deps, context, opened.placement.object)).slice(0, MAX_PROPOSALS),
    link: opened.link.id,
    placementId: opened.placement.id,
    token: context.token,
  };
  return replyWithPart(context, { view: 'course-replacements', title: 'course.overview.replacements', model });
}

async function replaceCourseResource(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  const { launch, form } = context;
  await requireChange(deps, context);
  const opened = await findCourseLink(deps, context, form);
  if (opened === null) return redirectToCourse(context);
  const scope = { keyring: deps.keyring, tenantId: launch.tenantId };
  await replaceDeadLink(deps, context, opened, openHandle(form.get('handle') ?? '', scope));
  return redirectToCourse(context, opened.link.id);
}

/** Finds the replacement of a link; null if it changed several links, which is undone elsewhere. */
async function findReplacedInCourse(deps: LtiFaceDeps, context: LaunchContext, linkId: string | null) {
  if (linkId === null) return null;
  const { resources } = await readCourse(deps, context);
  const resource = resources.find(({ link }) => link?.id === linkId);
  if (!resource?.link) return null;
  const mend = await deps.deadLinks.findReplaced({ link: resource.link, placement: resource.placement });
  return mend?.changes.length === 1 ? { linkId, mend, title: resource.placement.object.title } : null;
}

async function undoCourseReplacement(deps: LtiFaceDeps, context: LaunchContext): Promise<LtiReply> {
  await requireChange(deps, context);
  const replaced = await findReplacedInCourse(deps, context, context.form.get('link'));
  if (replaced === null)
    throw new AppError('CHANGED_MEANWHILE', 'This was undone or replaced before. Go back to the course.');
  await deps.deadLinks.undo(toTeacherActor(context), replaced.mend.tenantId, replaced.mend.id);
  return redirectToCourse(context);
}

function redirectToCourse({ token }: LaunchContext, replaced?: string): LtiReply {
  return {
    kind: 'redirect',
    to: `/lti/course?${new URLSearchParams({ launch: token, ...(replaced && { replaced }) })}`,
  };
}
