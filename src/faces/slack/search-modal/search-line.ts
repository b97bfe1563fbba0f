import type { LearnChoices } from '../learn/choices.ts';
import { typedTerm } from '../learn/parse-learn.ts';
import type { ViewValues } from '../listener.ts';
import { ANY, fieldId, type SearchField } from './search-fields.ts';
import { isTypedLength } from './typed-length.ts';

type FilterField = 'type' | 'level' | 'price' | 'lang' | 'provider' | 'bloom';

/** What is filled in, as it would be typed after `/learn`: `docker type:video,article lang:fr`. Null where there are neither
 *  words nor a skill to search for.
 *  @param begun what a search begins with: what of it was taken away is typed as `lang:any` */
export function searchLine(values: ViewValues, begun: LearnChoices): string | null {
  const skill = typedIn(values, 'skill');
  const sought = [typedIn(values, 'words'), skill === '' ? '' : typedTerm(skill)].filter(
    (part) => part !== '',
  );
  if (sought.length === 0) return null;
  const isBegun: Readonly<Record<FilterField, boolean>> = {
    type: begun.types.length > 0,
    level: begun.levels.length > 0,
    price: begun.price !== null,
    lang: begun.lang !== null,
    provider: begun.providers.length > 0,
    bloom: begun.blooms.length > 0,
  };
  const filters = (Object.keys(isBegun) as FilterField[]).flatMap((field) => {
    const chosen = chosenIn(values, field);
    if (chosen.length > 0) return [`${field}:${chosen.map(typedValue).join(',')}`];
    return isBegun[field] ? [`${field}:${ANY}`] : [];
  });
  const length = chosenIn(values, 'length').filter(isTypedLength);
  return [...sought, ...filters, ...length].join(' ');
}

const filledIn = (values: ViewValues, field: SearchField) => values[fieldId(field)]?.[fieldId(field)];

function typedIn(values: ViewValues, field: SearchField): string {
  const value = filledIn(values, field);
  return (value?.selected_option?.value ?? value?.value ?? '').trim();
}

function chosenIn(values: ViewValues, field: SearchField): readonly string[] {
  const value = filledIn(values, field);
  const chosen = value?.selected_options ?? [value?.selected_option ?? { value: ANY }];
  return chosen.map((each) => each.value).filter((each) => each !== ANY);
}

/** A comma or a blank would end it. */
const typedValue = (value: string): string =>
  /[\s",]/.test(value) ? `"${value.replaceAll('"', ' ').trim()}"` : value;
