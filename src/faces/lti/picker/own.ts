import { z } from 'zod';
import { learningObjectTypes } from '../../../domain/learning-object.ts';
import { isObjectAddress, type ObjectFields, toPlainObject } from '../../../domain/object-fields.ts';
import { AppError } from '../../../errors.ts';
import { findLanguageName } from '../../words/language-names.ts';
import type { LtiFaceDeps } from '../deps.ts';
import { toTeacher } from '../object/replace.ts';
import type { LaunchContext, LtiReply, LtiRoute } from '../route.ts';
import { type Card, readCards } from './cards.ts';

interface AskModel {
  readonly step: 'ask';
  readonly typed: string;
  readonly problem: string | null;
  /** What the reader of the page said, in English. */
  readonly detail: string | null;
}

/** What `views/lti/partials/own.eta` shows. */
type OwnModel =
  | AskModel
  | {
      readonly step: 'confirm';
      readonly url: string;
      readonly sealed: string;
      readonly fields: ObjectFields;
      readonly types: readonly string[];
      readonly languages: readonly { readonly code: string; readonly name: string }[];
    }
  | { readonly step: 'done'; readonly isFoundByAll: boolean; readonly card: Card };

type OwnDeps = Pick<
  LtiFaceDeps,
  'objects' | 'tenants' | 'readObjectPage' | 'suggestionLimit' | 'keyring' | 'shelf' | 'discoveryOf'
>;

const MAX_URL = 2_000;

const confirmed = z.object({
  sealed: z.string().min(1).max(100_000),
  title: z.string().trim().min(1).max(300),
  description: z.string().trim().max(400).default(''),
  type: z.enum(learningObjectTypes),
  lang: z.string().regex(/^[a-z]{2}$/),
});

export const askForOwn: AskModel = { step: 'ask', typed: '', problem: null, detail: null };

/** "Add one of yours": an instructor gives an address, sees what its page says, and suggests it to the institution. */
export function ownRoutes(deps: OwnDeps): LtiRoute[] {
  return [
    {
      method: 'post',
      path: '/picker/own/read',
      access: 'picker',
      handle: (context) => readOwn(deps, context),
    },
    { method: 'post', path: '/picker/own', access: 'picker', handle: (context) => suggestOwn(deps, context) },
  ];
}

const show = (own: OwnModel): LtiReply => ({ kind: 'fragment', view: 'partials/own', model: { own } });

/** Nothing is kept yet. */
async function readOwn(deps: OwnDeps, context: LaunchContext): Promise<LtiReply> {
  const { form, t, launch } = context;
  const typed = (form.get('url') ?? '').trim();
  if (!isObjectAddress(typed))
    return show({ ...askForOwn, typed: typed.slice(0, MAX_URL), problem: t('picker.own.problems.address') });
  const { isAllowed } = await deps.suggestionLimit.consume(`${launch.tenantId} ${launch.user.id}`);
  if (!isAllowed) return show({ ...askForOwn, typed, problem: t('picker.own.problems.RATE_LIMITED') });
  try {
    const { url, fields } = await deps.readObjectPage(typed, {
      tenantId: launch.tenantId,
      isByOwner: false,
    });
    return show(await toConfirmation(deps, context, { url, fields }));
  } catch (error) {
    return show({ ...askForOwn, typed, ...describeProblem(error, context) });
  }
}

async function toConfirmation(
  { keyring, discoveryOf }: OwnDeps,
  { launch, locale }: LaunchContext,
  read: { readonly url: string; readonly fields: ObjectFields },
): Promise<OwnModel> {
  const { languages } = await discoveryOf(launch.tenantId).lists();
  const codes = new Set(['en', 'fr', ...languages.map(({ value }) => value), read.fields.lang]);
  return {
    ...{ step: 'confirm', ...read, types: learningObjectTypes },
    sealed: keyring.seal(JSON.stringify(read), contextOf(launch.tenantId)),
    languages: [...codes]
      .map((code) => ({ code, name: findLanguageName(code, locale) }))
      .sort((a, b) => a.name.localeCompare(b.name, locale)),
  };
}

async function suggestOwn(deps: OwnDeps, context: LaunchContext): Promise<LtiReply> {
  const { form, launch, t } = context;
  const given = confirmed.safeParse(Object.fromEntries(form)).data;
  const read = given && openRead(deps, launch.tenantId, given.sealed);
  if (given === undefined || read === undefined)
    return show({ ...askForOwn, problem: t('picker.own.problems.again') });
  const { title, type, lang } = given;
  const fields = { ...read.fields, title, description: given.description || title, type: [type], lang };
  const { suggestions } = await deps.tenants.getTenant(launch.tenantId);
  const atOnce = suggestions === 'at-once';
  try {
    await deps.objects.suggest(toTeacher(context), {
      tenantId: launch.tenantId,
      url: read.url,
      fields,
      atOnce,
    });
  } catch (error) {
    return show({ ...askForOwn, typed: read.url, ...describeProblem(error, context) });
  }
  const object = toPlainObject({ url: read.url, fields });
  const [card] = await readCards([{ object, requestId: null }], deps, context);
  if (card === undefined) throw new TypeError('one card was asked for');
  return show({ step: 'done', isFoundByAll: atOnce, card });
}

function openRead(
  { keyring }: OwnDeps,
  tenantId: string,
  sealed: string,
): { readonly url: string; readonly fields: ObjectFields } | undefined {
  try {
    return JSON.parse(keyring.open(sealed, contextOf(tenantId)));
  } catch {
    return undefined;
  }
}

const contextOf = (tenantId: string) => `page that was read for ${tenantId}`;

const sayable = ['IMPORT_INVALID', 'SOURCE_UNAVAILABLE', 'RATE_LIMITED', 'OBJECTS_TOO_MANY'];

function describeProblem(error: unknown, { t }: LaunchContext) {
  if (!(error instanceof AppError)) throw error;
  const { code, data, message } = error;
  if (code === 'OBJECT_KNOWN') return { problem: t(`picker.own.known.${data.how}`, data), detail: null };
  if (!sayable.includes(code)) throw error;
  return { problem: t(`picker.own.problems.${code}`), detail: message };
}
