import type { LearningObject } from '#domain/learning-object';
import { AppError } from '#errors';
import type { ShelfOwner } from '#ports/store/store';
import type { People } from './people.ts';
import type { SavedStates } from './saved-states.ts';

/** Objects that were chosen outside a course, for the next time its teacher opens the picker. */
type Selection = { readonly id: string; readonly objects: readonly LearningObject[] };

const NAME = 'selection';
const COURSE_PREFIX = 'lti:';

/** Stores selections that the picker starts with; a teacher confirms before anything is added. */
export function createSelections(deps: {
  readonly savedStates: Pick<SavedStates, 'putNamed' | 'findNamed' | 'removeNamed'>;
  readonly people: Pick<People, 'listLinked'>;
}) {
  const { savedStates, people } = deps;
  const listCourses = async (owner: ShelfOwner) =>
    [owner.person, ...(await people.listLinked(owner))].filter((person) => person.startsWith(COURSE_PREFIX));

  return {
    /** Replaces the selection, for 24 hours, in every learning platform that shares the person's
     *  shelf. @returns how many there are. Errors: COURSE_UNLINKED; those of
     *  `SavedStates.putNamed`. */
    async prepare(owner: ShelfOwner, selection: Selection): Promise<number> {
      const courses = await listCourses(owner);
      if (courses.length === 0)
        throw new AppError(
          'COURSE_UNLINKED',
          'This account is not linked with a learning platform yet. Open the picker in the course, take a code on its shelf, and type it on the account page of this host.',
        );
      for (const person of courses) await savedStates.putNamed({ ...owner, person }, NAME, selection);
      return courses.length;
    },
    find: (owner: ShelfOwner) => savedStates.findNamed<Selection>(owner, NAME),
    /** Removes a selection that was placed, unless another one has replaced it. */
    async end(owner: ShelfOwner, id: string): Promise<void> {
      const waiting = await savedStates.findNamed<Selection>(owner, NAME);
      if (waiting?.id === id) await savedStates.removeNamed(owner, NAME);
    },
    countCourses: async (owner: ShelfOwner) => (await listCourses(owner)).length,
  };
}
