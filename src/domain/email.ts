const MAX_LENGTH = 254;
/** The addresses that people have. The standard allows more, which mail servers and other services refuse. */
const SHAPE =
  /^(?:[A-Za-z0-9_'+-]+\.)*[A-Za-z0-9_'+-]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && SHAPE.test(text);
}
