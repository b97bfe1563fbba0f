import { z } from 'zod';
import type { Languages } from '../../words/i18n.ts';
import type { AdminFaceDeps } from '../deps.ts';
import { formOf, readForm } from '../forms/forms.ts';
import { createShowLink, createUseLink } from '../people/link-page.ts';
import type { AdminRoute, PageContext, Reply } from '../route.ts';

const MAX_LENGTH = 200;

const linkForm = z
  .object({
    // Of a reset link there is none to choose, and the service says what a name may be.
    name: z.string().max(MAX_LENGTH, 'tooLong').default(''),
    password: z.string('required').min(1, 'required').max(MAX_LENGTH, 'tooLong'),
    repeated: z.string('required').min(1, 'required'),
  })
  .refine(({ password, repeated }) => password === repeated, { path: ['repeated'], error: 'notTheSame' });

/** One-time links: set up the host, join, choose a new password. */
export function linkRoutes(deps: AdminFaceDeps, languages: Languages): AdminRoute[] {
  const showLink = createShowLink(deps);
  const useLink = createUseLink(deps, languages);

  async function use(context: PageContext): Promise<Reply> {
    const { form, t, params } = context;
    const token = params.token!;
    const read = readForm(form, { schema: linkForm, t });
    if ('data' in read) {
      const { name, password } = read.data;
      return useLink(context, { token, credentials: { kind: 'password', name, password } });
    }
    const { values, problems } = read.state;
    return showLink({ token, form: { ...formOf({ name: values.name ?? '' }), problems } }, { status: 422 });
  }

  return [
    {
      method: 'get',
      path: '/link/:token',
      access: 'anyone',
      handle: ({ params }) => showLink({ token: params.token!, form: formOf({}) }),
    },
    { method: 'post', path: '/link/:token', access: 'anyone', handle: use },
  ];
}
