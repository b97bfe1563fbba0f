import type { LtiFaceDeps } from '../deps.ts';
import type { LtiRoute } from '../route.ts';
import { markAsDone, noteFollowed, showDone } from './done.ts';
import { takeFeedback } from './feedback.ts';
import { showObject } from './object-page.ts';
import { showPeople } from './people.ts';
import { useSimilar } from './replace.ts';
import { showSimilar } from './similar.ts';

/** The pages of a resource link: the object behind it, for who learns and who teaches. What takes long is a part of its own,
 *  which the page asks for when it is shown; without a script that is a link to the part as a page. */
export function objectRoutes(deps: LtiFaceDeps): LtiRoute[] {
  const access = 'resource-link';
  return [
    { method: 'get', path: '/object', access, handle: (context) => showObject(deps, context) },
    { method: 'get', path: '/object/done', access, handle: (context) => showDone(deps, context) },
    { method: 'post', path: '/object/done', access, handle: (context) => markAsDone(deps, context) },
    { method: 'post', path: '/object/opened', access, handle: (context) => noteFollowed(deps, context) },
    { method: 'post', path: '/object/feedback', access, handle: (context) => takeFeedback(deps, context) },
    { method: 'get', path: '/object/similar', access, handle: (context) => showSimilar(deps, context) },
    {
      method: 'get',
      path: '/object/people',
      access: 'instructor',
      handle: (context) => showPeople(deps, context),
    },
    {
      method: 'post',
      path: '/object/replace',
      access: 'instructor',
      handle: (context) => useSimilar(deps, context),
    },
  ];
}
