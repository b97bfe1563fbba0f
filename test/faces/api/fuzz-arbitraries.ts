import fc from 'fast-check';

const names = [
  'keywords lang provider sort match model max page publisher ageMax ageMin learningTimeMax levelMax',
  'levelMin popularityMin address distanceMax free type bloom source text url comment request_id email',
  '__proto__ constructor prototype toString keywords[] max[gt] hasOwnProperty',
].flatMap((line) => line.split(' '));
const nasty = fc.constantFrom(
  ...['', '%', '%ff', '%00', '%F0%9F%92%A9', '%ED%A0%80', 'NaN', '1e400', '-0', '0x1', '9'.repeat(300), 'true'],
  ...['null', '!important', '__proto__', 'constructor', '..%2f..', '<script>', 'https://a.example', 'a@b.example'],
);
/** What an HTTP client can put on the request line. */
export const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
});
const pair = fc
  .tuple(fc.oneof(fc.constantFrom(...names), visible), fc.oneof(nasty, visible, fc.webQueryParameters()))
  .map(([name, value]) => `${name}=${value}`);
export const queries = fc.oneof(
  fc.array(pair, { maxLength: 2 }).map((pairs) => ['keywords=a', ...pairs].join('&')),
  visible,
  fc.array(pair, { maxLength: 8 }).map((pairs) => pairs.join('&')),
);

const values = fc.oneof(fc.jsonValue(), nasty, fc.string({ unit: 'binary' }));
const objects = fc
  .array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 8 })
  .map((fields) => `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`);
export const bodies = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => Buffer.from(JSON.stringify({ text, url: text, email: text }))),
  objects.map((text) => Buffer.from(text)),
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

const lists = ['provider', 'type', 'bloom', 'lang'].map((name) => `/learningobject/v2/${name}`);
export const gets = [
  '/domcomp/v1/similar',
  '/domcomp/v1/suggest',
  '/learningobject/v2/search-provider',
  '/learningobject/v2/search',
  '/marketplace/search-provider',
  ...lists,
];

export const posts = ['/domcomp/v1/tagger', '/learningobject/v2/feedback', '/marketplace/feedback'];

export const mediaTypes = fc.constantFrom(
  'application/json',
  'application/json',
  'text/plain',
  'application/json; charset=x',
);

const headerNames = [
  ...['x-api-key', 'x-marketplace-key', 'accept', 'accept-encoding', 'accept-language', 'if-none-match'],
  ...['if-modified-since', 'origin', 'host', 'range', 'content-type', 'content-encoding', 'x-forwarded-for'],
  ...['authorization', 'cookie', 'x-http-method-override', 'prefer', 'traceparent', '__proto__'],
];

export const headers = fc
  .array(fc.tuple(fc.constantFrom(...headerNames), fc.oneof(visible, fc.constantFrom('*', 'gzip', ',,;q=x'))), {
    maxLength: 5,
  })
  .map((pairs) => Object.fromEntries(pairs));
