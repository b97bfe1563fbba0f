import { randomBytes } from 'node:crypto';
import { AppError, type ErrorCode } from '../../../errors.ts';
import type { ObjectWords } from '../../object-view/facts.ts';
import type { Languages } from '../../words/i18n.ts';
import type { Message } from '../blocks/block-kit.ts';
import { actions, button, section, context as smallText } from '../blocks/elements.ts';
import { escapeMrkdwn } from '../blocks/text.ts';
import { TRY_AGAIN } from './try-again.ts';

/** To try these again leads nowhere else; and who asks too much must not fill the store with it. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['SLACK_STATE_OVER', 'SLACK_NOT_INSTALLED', 'SLACK_BUSY']);

export const canTryAgain = (error: unknown): boolean => !(error instanceof AppError && FINAL.has(error.code));

/** Short enough to be read out, and found in the log. */
export const makeReference = (): string => randomBytes(4).toString('hex');

/** What happened, in words for people: by the code, else by the kind. Never what an error says of itself, which can name what is
 *  nobody's business. */
export function failureText(error: unknown, { t }: ObjectWords, has: Languages['has']): string {
  const { code, kind, retryAfterSeconds } =
    error instanceof AppError ? error : { code: 'INTERNAL', kind: 'internal', retryAfterSeconds: undefined };
  const values = { seconds: retryAfterSeconds ?? 60 };
  return has(`slack.codes.${code}`) ? t(`slack.codes.${code}`, values) : t(`slack.kinds.${kind}`, values);
}

export interface FailureParts {
  readonly text: string;
  readonly reference: string;
  /** Of what is to be asked again; null where there is nothing. */
  readonly retryToken: string | null;
}

export function failureMessage({ text, reference, retryToken }: FailureParts, { t }: ObjectWords): Message {
  const again = () => button({ actionId: TRY_AGAIN, text: t('slack.tryAgain'), value: retryToken! });
  return {
    text: escapeMrkdwn(text),
    blocks: [
      section(escapeMrkdwn(text)),
      ...(retryToken === null ? [] : [actions([again()])]),
      smallText(t('slack.reference', { reference })),
    ],
  };
}
