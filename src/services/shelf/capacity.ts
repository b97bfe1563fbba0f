import { AppError } from '../../errors.ts';

/** Objects on one shelf. */
export const SHELF_CAPACITY = 500;

export function shelfFull(): AppError {
  return new AppError(
    'SHELF_FULL',
    `There are ${SHELF_CAPACITY} saved objects already, which is as many as there can be. Remove some, then save this one.`,
    { data: { capacity: SHELF_CAPACITY } },
  );
}

/** Two shelves do not become one. */
export function shelvesTooFull(): AppError {
  return new AppError(
    'SHELF_FULL',
    `Both shelves together have more than ${SHELF_CAPACITY} saved objects, which is as many as there can be. Remove some, then use the code again.`,
    { data: { capacity: SHELF_CAPACITY } },
  );
}
