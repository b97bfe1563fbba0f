interface Minutes {
  readonly learningTimeMin?: number | null;
  readonly learningTimeMax?: number | null;
}

/** A length of time as it is typed: `min:20min max:60min`; empty where there is no limit. */
export function typedLength({ learningTimeMin: min = null, learningTimeMax: max = null }: Minutes): string {
  return [min === null ? '' : `min:${min}min`, max === null ? '' : `max:${max}min`].join(' ').trim();
}

export const isTypedLength = (text: string): boolean =>
  /^(?:min:\d{1,6}min)?(?: ?max:\d{1,6}min)?$/.test(text) && text !== '';
