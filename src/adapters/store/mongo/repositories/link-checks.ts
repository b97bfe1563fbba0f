import type { Connection, Model } from 'mongoose';
import { foldText } from '../../../../domain/text.ts';
import type { LinkCheck, LinkCheckRepository, LinkState } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { instant, integer, text } from '../fields.ts';
import { listPage, matchListText } from '../list-page.ts';

export const linkChecks = defineCollection<LinkCheck>('linkChecks', {
  fields: {
    url: text,
    state: text,
    checkedAt: instant,
    since: instant,
    status: integer,
    reason: text,
    failures: integer,
    movedTo: text,
    etag: text,
    lastModified: text,
  },
  key: ({ url }) => url,
  derived: { search: { field: text, of: ({ url }) => foldText(url) } },
  indexes: [{ key: { state: 1, since: 1, _id: 1 } }, { key: { state: 1, _id: 1 } }],
});

export function createLinkCheckRepository(connection: Connection): LinkCheckRepository {
  const model = openCollection(connection, linkChecks);
  return {
    saveLinkChecks: (checks) => saveLinkChecks(model, checks),
    async findLinkChecks(urls) {
      const found = model.find({ _id: { $in: [...urls] } }).sort({ _id: 1 });
      return (await found.lean<Document[]>()).map(linkChecks.toRecord);
    },
    async readLinkChecks({ state, after, limit }) {
      const later = after === null ? {} : { _id: { $gt: after } };
      const found = model
        .find({ state, ...later })
        .sort({ _id: 1 })
        .limit(limit);
      return (await found.lean<Document[]>()).map(linkChecks.toRecord);
    },
    listBrokenLinks: (request) =>
      listPage(model, linkChecks, {
        conditions: [
          { state: { $in: ['dead', 'unsure'] } },
          ...matchListText('derived.search', request.search),
        ],
        // `dead` comes before `unsure` in the alphabet, too.
        order: { state: 1, since: 1, _id: 1 },
        page: request,
      }),
    async countLinkChecks() {
      const [alive, dead, unsure] = await Promise.all(
        (['alive', 'dead', 'unsure'] satisfies LinkState[]).map((state) => model.countDocuments({ state })),
      );
      return { alive: alive ?? 0, dead: dead ?? 0, unsure: unsure ?? 0 };
    },
    deadLinksVersion: () => deadLinksVersion(model),
    removeLinkChecks: async (urls) => (await model.deleteMany({ _id: { $in: [...urls] } })).deletedCount,
  };
}

async function saveLinkChecks(model: Model<Document>, checks: readonly LinkCheck[]): Promise<void> {
  if (checks.length === 0) return;
  const replacements = checks.map((check) => {
    const replacement = linkChecks.toDocument(check);
    return { replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } };
  });
  await model.bulkWrite(replacements, { ordered: false, throwOnValidationError: true });
}

async function deadLinksVersion(model: Model<Document>): Promise<string> {
  const [total, newest] = await Promise.all([
    model.countDocuments({ state: 'dead' }),
    model.findOne({ state: 'dead' }, { since: 1 }).sort({ since: -1 }).lean<Document | null>(),
  ]);
  return newest === null ? '' : `${total}-${(newest.since as Date).getTime()}`;
}
