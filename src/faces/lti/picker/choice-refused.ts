import { AppError } from '../../../errors.ts';
import { type LaunchContext, type LtiReply, page } from '../route.ts';

/** Whether it can be put right in the tray. */
export function isRefusedChoice(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'PARAMETERS_INVALID' || error.code === 'FORM_INVALID');
}

/** Keys of the words that the tray has for its fields. */
const fields: Readonly<Record<string, string>> = {
  title: 'tray.itemTitle',
  points: 'tray.graded',
  completion: 'tray.completion',
  target: 'tray.target',
  availableFrom: 'tray.availableFrom',
  availableUntil: 'tray.availableUntil',
  submitUntil: 'tray.submitUntil',
};

/** A page that says what to look at, and leads back to the tray, which is as it was. */
export function choiceRefused(context: LaunchContext, { code, problems }: AppError): LtiReply {
  const { t, token } = context;
  const named = problems.map(({ path }) => findField(path)).filter((field) => field !== null);
  const lines = named.map(({ number, field }) => t('tray.refused.field', { number, field: t(field) }));
  const model = {
    lines: [...new Set(lines)],
    isForgotten: code === 'FORM_INVALID',
    back: `/lti/picker?${new URLSearchParams({ launch: token })}`,
  };
  return page('choice-refused', model, { status: 400 });
}

/** Which object of the selection, from 1, and which of its fields a path like `chosen[0].title` is about. */
function findField(path: string): { readonly number: number; readonly field: string } | null {
  const [, place, name = ''] = /^chosen\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  const field = fields[name];
  return place === undefined || field === undefined ? null : { number: Number(place) + 1, field };
}
