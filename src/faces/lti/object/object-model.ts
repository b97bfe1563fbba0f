import { findEmbedding } from '../../../domain/embedding.ts';
import type { Placement } from '../../../domain/lti/placement.ts';
import { toObjectView } from '../../object-view/object-view.ts';
import { toFrameModel } from '../frame-model.ts';
import type { LaunchContext } from '../route.ts';
import { type Saying, sayings } from './replies.ts';

/** What every page of an object shows, whoever looks at it. */
export function toObjectModel({ title, object, id }: Placement, context: LaunchContext) {
  const { launch, token, t, locale } = context;
  return {
    ...toFrameModel(context),
    token,
    title,
    placementId: id,
    view: toObjectView(object, { t, locale }),
    embed: findEmbedding(object.url),
    said: findSaying(context),
    query: new URLSearchParams({ launch: token }).toString(),
    canChoose: launch.role === 'instructor',
  };
}

export type ObjectModel = ReturnType<typeof toObjectModel>;

function findSaying({ query }: LaunchContext): Saying | null {
  const said = query.get('said');
  return sayings.find((saying) => saying === said) ?? null;
}

/** Dates in words of the reader, without a time: nobody here knows where the reader is; the page's script does. */
export function dayIn(locale: string): (date: Date) => string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (date) => format.format(date);
}
