import type { Request } from 'express';
import { chooseLocale, type Languages, type Locale, type Translate } from '../../src/faces/words/i18n.ts';
import type { Person } from '../platform/model.ts';
import { demoPeople, instructor } from './demo-course.ts';

/** Who looks at a page, and in which language: both are chosen on the page and stand in its address. */
export interface Reader {
  readonly person: Person;
  readonly isInstructor: boolean;
  readonly locale: Locale;
  readonly t: Translate;
  /** A path below the course's address for the same reader, or with changes. */
  to(path: string, changes?: Readonly<Record<string, string>>): string;
}

const BASE = '/demo';

export const queryOf = ({ originalUrl }: Pick<Request, 'originalUrl'>): URLSearchParams =>
  new URLSearchParams(originalUrl.split('?')[1] ?? '');

export function readReader(request: Request, languages: Languages): Reader {
  const query = queryOf(request);
  // Who is on the way to the tool and back has the hints of the login instead.
  const personId = query.get('as') ?? query.get('login_hint');
  const lang = query.get('lang') ?? query.get('lti_message_hint')?.split('.')[1];
  const person = demoPeople.find(({ id }) => id === personId) ?? instructor;
  const locale = chooseLocale(lang, request.get('accept-language'));
  const own = { as: person.id, ...(lang !== undefined && { lang: locale }) };
  return {
    person,
    isInstructor: person.role === 'instructor',
    locale,
    t: languages.translatorOf(locale),
    to: (path, changes = {}) => `${BASE}${path}?${new URLSearchParams({ ...own, ...changes })}`,
  };
}
