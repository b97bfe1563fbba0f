import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listPersonal, type PersonalKind, retentionKinds, storeRecords } from '../src/ports/store/store.ts';

/** What a field of each kind holds, in words. */
const kinds: Readonly<Record<PersonalKind, string>> = {
  account: 'account: registration or workspace, and user id',
  'lms-user': 'user id in the LMS',
  'slack-user': 'user id in Slack',
  admin: 'id of an administrator',
  actor: 'account, name and network address',
  email: 'e-mail address',
  name: 'name',
  signature: 'name',
  mark: 'hash',
  secret: 'secret or its hash, never shown',
  about: 'about the person',
};

const {
  kinds: names,
  seenBy,
  kept,
  leaves,
  erasure,
} = JSON.parse(readFileSync('views/locales/en/privacy.json', 'utf8'));

const writeKept = (how: string): string =>
  retentionKinds.some((kind) => kind === how) ? `\`KEEP_${how.toUpperCase()}_DAYS\`` : kept[how];

function writeDocument(): string {
  const sections = listPersonal(storeRecords).map(({ name, personal, privacy }) =>
    [
      `## ${names[name].name}`,
      '',
      `${names[name].why} Record \`${name}\`.`,
      '',
      `- Seen by: ${privacy.seenBy.map((who) => seenBy[who]).join('; ')}`,
      `- Stored: ${writeKept(privacy.kept)}`,
      `- Outside: ${leaves[privacy.leaves ?? 'here']}`,
      `- When a person is erased: ${erasure[privacy.erasure]}`,
      '',
      '| field | what it is |',
      '| --- | --- |',
      ...Object.entries(personal).map(([field, kind]) => `| \`${field}\` | ${kinds[kind]} |`),
      '',
    ].join('\n'),
  );
  return `# Privacy

Every personal field that a host stores: why, who sees it, for how long, and where it leaves the host. This page is made from the
descriptions of the records (\`src/ports/store/\`) by \`npm run docs:privacy\`.

People see, export and erase their data under *My data*: from a course, on Slack's Home, on their account page. Administrators do it for
them: *People* on the admin page, or \`skilldock people\`. What waits for delivery is cancelled; what was delivered stays with its
receiver; backups that exist stay as they are. The log has neither names nor words of searches.
The settings named below are in [Configuration](configuration.md).

${sections.join('\n')}`;
}

test('docs/privacy.md says what the descriptions of the records say', async () => {
  await expect(writeDocument()).toMatchFileSnapshot('../docs/privacy.md');
});

test('every name in a mark is that of a field, and every text exists', () => {
  for (const { name, fields, personal, privacy, retention } of listPersonal(storeRecords)) {
    expect(Object.keys(personal).filter((field) => !fields.includes(field))).toEqual([]);
    expect(names[name]).toMatchObject({ name: expect.any(String), why: expect.any(String) });
    if (retention !== null) expect(fields).toContain(retention.since);
    expect(writeKept(privacy.kept)).toEqual(expect.any(String));
  }
  expect(Object.keys(names).sort()).toEqual(
    listPersonal(storeRecords)
      .map(({ name }) => name)
      .sort(),
  );
});
