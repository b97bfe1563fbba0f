import { expect, test } from 'vitest';
import { isEmail } from '../../../../src/domain/text.ts';
import { makeFeedbackEmail } from '../../../../src/services/people/feedback/given-feedback.ts';

test.each([
  ['https://skills.example.org', 'feedback@skills.example.org'],
  ['https://SKILLS.example.org:8443', 'feedback@skills.example.org'],
  ['http://localhost:3000', 'feedback@skilldock.invalid'],
  ['http://192.0.2.7', 'feedback@skilldock.invalid'],
  ['http://[2001:db8::7]:3000', 'feedback@skilldock.invalid'],
  ['https://école.example', 'feedback@xn--cole-9oa.example'],
  ['https://почта.рф', 'feedback@skilldock.invalid'],
])('a host at %s has the address %s, which every service takes', (publicUrl, email) => {
  expect(makeFeedbackEmail(publicUrl)).toBe(email);
  expect(isEmail(email)).toBe(true);
});
