import type { LearningObject } from '#domain/learning-object';
import { AppError } from '#errors';
import type { ShelfOwner } from '#ports/store/store';
import type { KeptStates } from './kept-states.ts';
import type { People } from './people.ts';

/** What was chosen elsewhere for a course, and waits for its teacher to open the picker there. */
export interface Selection {
  readonly id: string;
  readonly objects: readonly LearningObject[];
}

/** Selections that the picker begins with. Nothing is written into a course: its teacher looks at what is chosen, and places it. */
export interface Selections {
  /** For everybody in a course site who shares this person's shelf, in place of what waited before, for 24 hours.
   *  @returns how many course sites that are. Errors: COURSE_UNLINKED where it is none; as of `KeptStates.keep`. */
  prepare(owner: ShelfOwner, selection: Selection): Promise<number>;
  /** Null where nothing waits. */
  find(owner: ShelfOwner): Promise<Selection | null>;
  /** Once it was placed; does nothing where another one waits by now. */
  end(owner: ShelfOwner, id: string): Promise<void>;
  /** In how many course sites the person is known. */
  countCourses(owner: ShelfOwner): Promise<number>;
}

/** Objects of one selection: as many as one answer to a course can have. */
export const MAX_SELECTED = 50;

const NAME = 'selection';
/** How the people of course sites are named. */
const OF_COURSES = 'lti:';

export interface SelectionsDeps {
  readonly keptStates: Pick<KeptStates, 'putNamed' | 'findNamed' | 'removeNamed'>;
  readonly people: Pick<People, 'listLinked'>;
}

export function createSelections({ keptStates, people }: SelectionsDeps): Selections {
  const listCourses = async (owner: ShelfOwner) =>
    (await people.listLinked(owner)).filter((person) => person.startsWith(OF_COURSES));

  return {
    async prepare(owner, selection) {
      const courses = await listCourses(owner);
      if (courses.length === 0) throw createUnlinkedError();
      for (const person of courses) await keptStates.putNamed({ ...owner, person }, NAME, selection);
      return courses.length;
    },
    find: (owner) => keptStates.findNamed<Selection>(owner, NAME),
    async end(owner, id) {
      const waiting = await keptStates.findNamed<Selection>(owner, NAME);
      if (waiting?.id === id) await keptStates.removeNamed(owner, NAME);
    },
    countCourses: async (owner) => (await listCourses(owner)).length,
  };
}

function createUnlinkedError(): AppError {
  return new AppError(
    'COURSE_UNLINKED',
    'This account is not linked with a course site yet. Open the picker in the course, take a code on its shelf, and type it on the account page of this host.',
  );
}
