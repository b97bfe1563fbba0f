import { learningObjectTypes } from '../../../domain/learning-object.ts';
import type { Remark } from './remarks.ts';
import { applyRules, constantRule, type Item, itemIn, type Rule, urlRule } from './rules.ts';

/** What the specification says of learning objects beyond the types of their fields.
 *  @param blooms what the `bloom` list names */
export function checkObjects(objects: readonly Item[], blooms: readonly string[]): readonly Remark[] {
  const prices = objects.flatMap((object) => itemIn(object, 'PriceSpecification'));
  return [...applyRules(objects, [...objectRules, bloomRule(blooms)]), ...applyRules(prices, priceRules)];
}

const isKnownType = (value: unknown) =>
  learningObjectTypes.some((type) => type === String(value).toLowerCase());

const objectRules: readonly Rule[] = [
  urlRule('picture'),
  {
    name: 'type',
    rule: 'expected upper case',
    holds: (value) => String(value) === String(value).toUpperCase(),
  },
  {
    name: 'type',
    rule: 'is not among the types that the specification lists',
    holds: isKnownType,
    severity: 'note',
  },
  {
    name: 'level',
    rule: 'expected a decimal from -1 to 1',
    holds: (value) => typeof value !== 'number' || (value >= -1 && value <= 1),
  },
  {
    name: 'learningTimeUnit',
    rule: 'expected h or min',
    holds: (value) => value === 'h' || value === 'min',
  },
];

function bloomRule(blooms: readonly string[]): Rule {
  return {
    name: 'bloom',
    rule: 'is not in the bloom list',
    holds: (value) => blooms.some((bloom) => bloom === value),
    severity: 'note',
  };
}

const priceRules: readonly Rule[] = [constantRule('@type', 'PriceSpecification'), urlRule('@context')];
