import { expect, test } from 'vitest';
import { operations } from '../../src/contract/index.ts';
import { problemsOf } from './problems-of.ts';

const readFeedback = (body: unknown) => operations.feedback.readRequest({ body }).request;

const body = {
  url: 'https://example.org/python',
  comment: ' Clear and short. ',
  request_id: 'r1',
  email: 'ada@example.org',
  source: 'https://school.example.org/course/7',
};

test('a feedback is taken as the specification has it', () => {
  expect(readFeedback(body)).toEqual({
    url: body.url,
    comment: 'Clear and short.',
    requestId: 'r1',
    email: body.email,
    source: body.source,
  });
});

test('a comment may be absent, empty or of several lines; the source may be an application', () => {
  for (const comment of ['', '  ', null]) {
    expect(readFeedback({ ...body, comment })).not.toHaveProperty('comment');
  }
  expect(readFeedback({ ...body, comment: 'a\nb' }).comment).toBe('a\nb');
  expect(readFeedback({ ...body, source: 'myapp://lesson/1' }).source).toBe('myapp://lesson/1');
});

test('everything required is asked for at once', () => {
  expect(Object.keys(problemsOf(() => readFeedback({ comment: 'x' }))).sort()).toEqual([
    'email',
    'request_id',
    'source',
    'url',
  ]);
});

test.each([
  ['url', 'javascript:alert(1)'],
  ['url', 'ftp://example.org'],
  ['url', 'example.org'],
  ['url', `https://example.org/${'a'.repeat(2_000)}`],
  ['source', 'JavaScript:alert(1)'],
  ['source', 'data:text/html,x'],
  ['source', 'my school'],
  ['email', 'ada'],
  ['email', 'ada@example.org, bob@example.org'],
  ['email', `${'a'.repeat(250)}@example.org`],
  ['comment', 'a'.repeat(2_001)],
  ['comment', 'a\u0000b'],
  ['request_id', 7],
  ['request_id', 'r'.repeat(201)],
])('a %s of %j is refused', (name, value) => {
  expect(Object.keys(problemsOf(() => readFeedback({ ...body, [name]: value })))).toEqual([name]);
});
