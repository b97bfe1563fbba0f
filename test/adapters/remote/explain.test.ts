import { expect, test } from 'vitest';
import { explainUpstreamAnswer, hideKey } from '../../../src/adapters/remote/explain.ts';

test.each([
  ['{"message":"No key"}', 'No key'],
  ['{"statusCode":400,"code":"X","message":"Ours","reference":"r"}', 'Ours'],
  ['{"error":{"code":403,"message":"Wrapped"}}', 'Wrapped'],
  ['{"error":"invalid","error_description":"Described"}', 'Described'],
  ['{"type":"about:blank","title":"Title","detail":"Detail"}', 'Detail'],
  ['{"statusCode":500,"body":"{\\"message\\":\\"Inner\\"}"}', 'Inner'],
  ['{"errorMessage":"Task timed out"}', 'Task timed out'],
  ['{"message":"  ","detail":"Other"}', 'Other'],
  ['{"message":null,"msg":"A00-Fine"}', 'A00-Fine'],
  ['{"unknown":1}', '{"unknown":1}'],
  ['["a"]', '["a"]'],
  ['Bad gateway', 'Bad gateway'],
  ['"just text"', 'just text'],
  ['<html><head>\n<title >502\n Bad Gateway</title></head><body><h1>secret</h1></body>', '502 Bad Gateway'],
  ['{"message":"<html><title>Inner page</title></html>"}', 'Inner page'],
  ['<html><body>No title</body></html>', null],
  ['<?xml version="1.0"?><Error>x</Error>', null],
  ['', null],
  [' \n ', null],
  ['{"message":"', '{"message":"'],
])('%s is explained by %s', (text, reason) => {
  expect(explainUpstreamAnswer(text)).toBe(reason);
});

test('a reason is one line, without control characters, and short', () => {
  expect(explainUpstreamAnswer('a\r\n\tb\u0000\u0007\u001b[0m\u202ec\u200b')).toBe('a b[0mc');
  expect(explainUpstreamAnswer('x'.repeat(1000))).toBe('x'.repeat(300));
  expect([...explainUpstreamAnswer('😀'.repeat(1000))!]).toHaveLength(300);
});

// What takes more than linear time takes minutes with these, and the test its time limit.
test('hostile bodies are explained all the same', () => {
  for (const text of [
    '<title'.repeat(300_000),
    '{"body":'.repeat(200_000),
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    `${'{"body":'.repeat(50_000)}"deep"${'}'.repeat(50_000)}`,
    ' '.repeat(2_000_000),
  ])
    explainUpstreamAnswer(text, 'a-key');
});

test('keys are crossed out, but for a few characters, which are none', () => {
  expect(hideKey('The key ab+c/d is wrong, AB+C/D too, ab%2Bc%2Fd as well', 'ab+c/d')).toBe(
    'The key ••• is wrong, ••• too, ••• as well',
  );
  expect(hideKey('The key abcd is wrong', 'Bearer abcd')).toBe('The key ••• is wrong');
  expect(hideKey('banana', 'a')).toBe('banana');
  expect(hideKey('banana', '')).toBe('banana');
  expect(hideKey('[x].*$^', '[x].*$^')).toBe('•••');
});
