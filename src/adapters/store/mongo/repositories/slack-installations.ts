import type { Connection, Model } from 'mongoose';
import { foldText, foldTexts } from '../../../../domain/text.ts';
import { AppError } from '../../../../errors.ts';
import type { SlackInstallationRecord, SlackInstallationRepository } from '../../../../ports/store/store.ts';
import { type Document, defineCollection, openCollection } from '../collection.ts';
import { isTakenFailure } from '../failures.ts';
import { instant, text, texts } from '../fields.ts';
import { listPage, matchListScope, matchListText, orderListBy } from '../list-page.ts';

const byName = orderListBy(['derived.name'], false);

export const slackInstallations = defineCollection<SlackInstallationRecord>('slackInstallations', {
  fields: {
    tenantId: text,
    kind: text,
    name: text,
    enterpriseId: text,
    appId: text,
    botId: text,
    botUserId: text,
    scopes: texts,
    installedBy: text,
    installedAt: instant,
  },
  derived: {
    name: { field: text, of: ({ name }) => foldText(name) },
    search: { field: text, of: ({ name, id }) => foldTexts(name, id) },
  },
  indexes: [{ key: { tenantId: 1 } }, { key: byName }],
});

export function createSlackInstallationRepository(connection: Connection): SlackInstallationRepository {
  const model = openCollection(connection, slackInstallations);
  return {
    putInstallation: (record) => putInstallation(model, record),
    findInstallation: async (id) =>
      slackInstallations.toRecordOrNull(await model.findOne({ _id: id }).lean<Document | null>()),
    listInstallations: (request) =>
      listPage(model, slackInstallations, {
        conditions: [...matchListScope(request.scope), ...matchListText('derived.search', request.search)],
        order: byName,
        page: request,
      }),
    async removeInstallation(id, installedUntil) {
      const older = installedUntil === null ? {} : { installedAt: { $lte: installedUntil } };
      const removed = await model.findOneAndDelete({ _id: id, ...older }).lean<Document | null>();
      return slackInstallations.toRecordOrNull(removed);
    },
  };
}

/** A further try means that an installation or a removal was quicker, so few tries are ever needed. */
const TRIES = 50;

/** Where the id is another tenant's, the server tries to add a second document, which the unique id refuses. The same happens
 *  where the same tenant was quicker, or the other tenant's was removed right after. */
async function putInstallation(model: Model<Document>, record: SlackInstallationRecord) {
  const { id, tenantId } = record;
  const document = slackInstallations.toDocument(record);
  const options = { upsert: true, returnDocument: 'before' } as const;
  for (let tried = 0; tried < TRIES; tried += 1) {
    try {
      const before = await model.findOneAndReplace({ _id: id, tenantId }, document, options).lean();
      return slackInstallations.toRecordOrNull(before as Document | null);
    } catch (error) {
      if (!isTakenFailure(error)) throw error;
    }
    if ((await model.exists({ _id: id, tenantId: { $ne: tenantId } })) !== null) return 'taken';
  }
  throw new AppError('STORE_UNAVAILABLE', 'The installation is changed by too many at once. Try again.');
}
