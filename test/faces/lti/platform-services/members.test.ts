import { describe, expect, test } from 'vitest';
import { readMembers } from '../../../../src/faces/lti/platform-services/members.ts';

const URL_OF_MEMBERS = 'https://lms.example/members';
const memberOf = (n: number) => ({ user_id: `p${n}`, name: `Person ${n}`, roles: ['Learner'] });

/** A platform whose list never ends, as many on a page as told. */
function endless(perPage: number) {
  const asked: string[] = [];
  const getPage = async (url: string) => {
    const n = asked.push(url);
    const members = Array.from({ length: perPage }, (_, i) => memberOf(n * perPage + i));
    return { members, next: `${URL_OF_MEMBERS}?page=${n}` };
  };
  return { asked, getPage };
}

describe('members without an end', () => {
  test('are read up to 5,000', async () => {
    const { asked, getPage } = endless(900);
    expect(await readMembers(URL_OF_MEMBERS, getPage)).toHaveLength(5_000);
    expect(asked).toHaveLength(6);
  });

  test('are read up to 100 pages, also where they are empty', async () => {
    const { asked, getPage } = endless(0);
    expect(await readMembers(URL_OF_MEMBERS, getPage)).toEqual([]);
    expect(asked).toHaveLength(100);
  });
});

test('somebody on two pages is one person', async () => {
  const getPage = async (url: string) => ({
    members: [memberOf(1)],
    ...(url === URL_OF_MEMBERS && { next: `${URL_OF_MEMBERS}?page=2` }),
  });
  expect(await readMembers(URL_OF_MEMBERS, getPage)).toHaveLength(1);
});

test('what is no member is counted, too, as reading each takes time', async () => {
  let read = 0;
  const entry = new Proxy({}, { get: (_, name) => (name === 'user_id' ? void read++ : undefined) });
  const getPage = async (url: string) => ({ members: Array(20_000).fill(entry), next: `${url}?more` });
  expect(await readMembers(URL_OF_MEMBERS, getPage)).toEqual([]);
  expect(read).toBeLessThanOrEqual(5_000);
});
