import type { Launch } from '../../../../src/domain/lti/launch.ts';
import type { PlacementRepository } from '../../../../src/ports/store/store.ts';
import { openPlacedLink, replaceLinkPlacement } from '../../../../src/services/courses/placements/links.ts';
import { makePlacement } from '../../../../src/services/courses/placements/placement-records.ts';
import { copyCoursePlacements } from '../../../../src/services/courses/placements/placements.ts';
import { createStandingClock } from '../../../fakes/clock.ts';
import { bareObject } from '../../../fakes/learning-service.ts';
import { anyPlatform, makeLaunch } from '../launch-samples.ts';

/** How platforms make copies known: Moodle by the course's history alone; Canvas by both histories;
 *  one with notices by these; Open edX by nothing, and with one resource link id for all items of a
 *  block; another by nothing. */
export const manners = ['moodle', 'canvas', 'notices', 'edx', 'silent'] as const;
export type Manner = (typeof manners)[number];

/** How the object of a link that was not known yet was found. */
export type Way = 'own' | 'notice' | 'link-history' | 'course' | 'item';

export interface Outcome {
  readonly launches: number;
  readonly ways: Readonly<Record<Way, number>>;
  /** Launches that showed another object than the teacher meant. */
  readonly wrong: readonly string[];
  /** Launches that showed nothing. */
  readonly broken: number;
  /** Copies of which the platform said the same as it would of another link that showed something
   *  else. */
  readonly undecidable: number;
  /** Of these, how many showed what was meant. */
  readonly guessed: number;
}

interface Course {
  readonly id: string;
  /** The nearest first. */
  readonly history: readonly Course[];
  links: Link[];
  /** With those that were removed. */
  ever: Link[];
}

interface Link {
  id: string;
  readonly course: Course;
  readonly item: string;
  readonly title: string;
  readonly source: Link | null;
  /** Ids of the links it was copied from, the nearest first, as they were then. */
  readonly history: readonly string[];
  /** Title of the object that its teacher means; null while a copy shows what its source does. */
  meant: string | null;
  wasOpened?: boolean;
}

/** Plays what happens to courses, from a seed, and compares what each launch shows with what the
 *  teacher of the link means: its own choice or replacement, else what the link showed that it was
 *  copied from, at the first launch or, where the platform tells of the copy, at once. */
export async function simulateCourses(
  repository: PlacementRepository,
  { manner, courses, seed }: { readonly manner: Manner; readonly courses: number; readonly seed: number },
): Promise<Outcome> {
  const random = createRandom(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  const clock = createStandingClock();
  const ways: Record<Way, number> = { own: 0, notice: 0, 'link-history': 0, course: 0, item: 0 };
  const seen = watchWays(repository);
  const links = { placements: seen.repository, clock };
  const registration = { ...anyPlatform, id: `simulated-${manner}` };
  const all: Course[] = [];
  const outcome = { launches: 0, wrong: [] as string[], broken: 0, undecidable: 0, guessed: 0 };
  let lastId = 0;
  const newId = () => `${++lastId}`;

  function toLaunch({ id, course, item, title, history }: Link): Launch {
    const custom = {
      placement: item,
      ...(manner === 'canvas' && { link_history: history.join(',') }),
      ...(['moodle', 'canvas'].includes(manner) && {
        context_history: course.history.map((each) => each.id).join(','),
      }),
    };
    return makeLaunch(registration, {
      clock,
      deepLinking: null,
      custom,
      context: { id: course.id, label: null, title: null },
      resourceLink: { id, title, description: null },
    });
  }

  async function choose(course: Course, title: string): Promise<string> {
    clock.advance(1_000);
    const launch = makeLaunch(registration, { clock, context: { id: course.id, label: null, title: null } });
    const object = { ...bareObject, url: `https://example.org/${title}`, title };
    const chosen = { object, requestId: null, title, completion: 'marked', points: null } as const;
    // Ids that do not depend on chance, as the order of the store does on them.
    const placement = { ...makePlacement(launch, chosen, clock.now()), id: `placement-${newId()}` };
    await repository.addPlacements([placement]);
    return placement.id;
  }

  async function open(link: Link): Promise<void> {
    clock.advance(1_000);
    seen.forget();
    const opened = await openPlacedLink(links, toLaunch(link));
    outcome.launches++;
    if (opened === null) {
      outcome.broken++;
      return;
    }
    ways[seen.way()]++;
    const shown = opened.placement.title;
    const meant = meantBy(link);
    if (!link.wasOpened && isUndecidable(link)) {
      outcome.undecidable++;
      if (shown === meant) outcome.guessed++;
    } else if (shown !== meant) outcome.wrong.push(`${link.course.id}/${link.id} shows ${shown} instead of ${meant}`);
    link.meant = shown;
    link.wasOpened = true;
  }

  /** Whether the platform would say the same of a copy of another link, which shows something
   *  else. */
  function isUndecidable(link: Link): boolean {
    if (manner === 'canvas') return false;
    const { course, title, item } = link;
    const told = {
      moodle: [course, ...course.history],
      notices: [course, ...course.history.slice(0, 1)],
      edx: all,
      silent: all,
    };
    const near = told[manner];
    const sources = near.flatMap(({ ever }) => ever).filter((each) => each !== link && each.item === item);
    const alike = sources.filter((each) => each.title === title || `${each.title} (copy)` === title);
    return new Set([...alike, link].map(meantBy)).size > 1;
  }

  async function replace(link: Link): Promise<void> {
    await open(link);
    const title = `replacement ${newId()}`;
    const id = await choose(link.course, title);
    const placement = (await repository.findPlacement(registration.tenantId, id))!;
    await replaceLinkPlacement(links, toLaunch(link), placement);
    link.meant = title;
  }

  /** The place stays, the item is another one. Copies of the item before that were not launched yet
   *  still mean that one. */
  async function chooseAnew(link: Link): Promise<void> {
    const { id, course, title } = link;
    const meant = `choice ${newId()}`;
    const item = await choose(course, meant);
    const anew = { id, course, item, title, source: null, history: [], meant };
    course.links = course.links.map((each) => (each === link ? anew : each));
    course.ever.push(anew);
  }

  async function addCourse(): Promise<void> {
    const course: Course = { id: `course-${newId()}`, history: [], links: [], ever: [] };
    all.push(course);
    const blockId = newId();
    for (let left = 1 + upTo(30); left > 0; left--) {
      const title = `object ${newId()}`;
      const id = manner === 'edx' && left > 3 ? blockId : newId();
      const item = await choose(course, title);
      course.links.push({ id, course, item, title, source: null, history: [], meant: title });
    }
    course.ever = [...course.links];
  }

  async function addCopy(original: Course): Promise<void> {
    clock.advance(1_000);
    const course: Course = {
      id: `course-${newId()}`,
      history: [original, ...original.history],
      links: [],
      ever: [],
    };
    const blockIds = new Map<string, string>();
    course.links = original.links.map((source) => {
      const id = blockIds.get(source.id) ?? newId();
      blockIds.set(source.id, id);
      return {
        ...source,
        wasOpened: false,
        id,
        course,
        source,
        history: [source.id, ...source.history],
        meant: null,
      };
    });
    course.ever = [...course.links];
    all.push(course);
    if (manner !== 'notices') return;
    for (const link of course.links) link.meant = meantBy(link);
    const { tenantId, id: registrationId } = registration;
    const copy = { tenantId, registrationId, deploymentId: '1', contextId: course.id, noticeId: newId() };
    const deps = { placements: repository, clock };
    await copyCoursePlacements(deps, { ...copy, originIds: [original.id] });
  }

  function duplicate(source: Link): void {
    const { course } = source;
    const title = manner === 'moodle' ? `${source.title} (copy)` : source.title;
    const history = [source.id, ...source.history];
    const made = { ...source, wasOpened: false, id: newId(), title, source, history, meant: null };
    course.links.push(made);
    course.ever.push(made);
  }

  const any = <T>(from: readonly T[]): T => from[upTo(from.length)]!;

  async function somethingHappens(): Promise<void> {
    const course = any(all);
    if (course.links.length === 0) return;
    const link = any(course.links);
    const lot = random();
    if (lot < 0.4) await replace(link);
    else if (lot < 0.5) await chooseAnew(link);
    else if (lot < 0.6) duplicate(link);
    else if (lot < 0.7) course.links = course.links.filter((each) => each !== link);
    else if (lot < 0.75) renumber(course);
    else for (const each of course.links) if (random() < 0.5) await open(each);
  }

  /** Restored from a backup: the same links under new ids. */
  function renumber({ links: restored }: Course): void {
    if (manner === 'canvas' || manner === 'notices') return;
    const before = new Map<string, string>();
    for (const link of restored) {
      if (!before.has(link.id)) before.set(link.id, newId());
      link.id = before.get(link.id)!;
      link.wasOpened = false;
    }
  }

  while (all.length < courses) {
    if (all.length < 2 || random() < 0.3) await addCourse();
    else await addCopy(any(all));
    for (let left = upTo(6); left > 0; left--) await somethingHappens();
  }
  for (const { links: left } of all) for (const link of left) await open(link);
  return { ...outcome, ways };
}

function meantBy({ meant, source, title }: Link): string {
  return meant ?? (source === null ? title : meantBy(source));
}

/** Notes what a launch was resolved by. */
function watchWays(repository: PlacementRepository) {
  let way: Way = 'item';
  const watched: PlacementRepository = {
    ...repository,
    async findLink(tenantId, id) {
      const link = await repository.findLink(tenantId, id);
      if (link !== null) way = 'own';
      return link;
    },
    async listLinksOfResources(wanted) {
      const found = await repository.listLinksOfResources(wanted);
      if (found.length > 0) way = 'link-history';
      return found;
    },
    async listLinksOfCourses(wanted) {
      const found = await repository.listLinksOfCourses(wanted);
      if (found.length > 0) way = found.some(({ copiedFrom }) => copiedFrom !== null) ? 'notice' : 'course';
      return found;
    },
  };
  return {
    repository: watched,
    way: () => way,
    forget: () => {
      way = 'item';
    },
  };
}

/** Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
