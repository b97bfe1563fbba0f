import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import Database from 'libsql';
import { required } from '../required.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What each collection is looked up by, the field that is always given first. */
const keys: Readonly<Record<string, readonly string[]>> = {
  idtoken: ['iss', 'clientId', 'deploymentId', 'user'],
  contexttoken: ['contextId', 'user'],
  platform: ['platformUrl', 'clientId'],
  platformStatus: ['id'],
  publickey: ['kid', 'platformUrl', 'clientId'],
  privatekey: ['kid', 'platformUrl', 'clientId'],
  accesstoken: ['platformUrl', 'clientId', 'scopes'],
  nonce: ['nonce'],
  state: ['state'],
};

/** A database plugin for ltijs on the same kind of file that our embedded store is: one table a
 *  collection, one index a table, write-ahead log. */
export function createSqlitePlugin(file: string) {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  const statements = new Map<string, Database.Statement>();
  const prepare = (sql: string) => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const where = (query: Fields) =>
    Object.keys(query)
      .map((name) => `${name} = ?`)
      .join(' AND ') || '1';
  const put = (collection: string, item: Fields, index: Fields) => {
    const fields = required(keys[collection], collection);
    const values = fields.map((name) => index[name] ?? item[name] ?? null) as string[];
    const marks = fields.map(() => '?').join();
    prepare(`INSERT INTO ${collection} (${fields.join()}, item, createdAt) VALUES (${marks}, ?, ?)`).run(
      ...values,
      JSON.stringify(item),
      Date.now(),
    );
  };
  const remove = (collection: string, query: Fields) =>
    prepare(`DELETE FROM ${collection} WHERE ${where(query)}`).run(...(Object.values(query) as string[]));
  return {
    async setup() {
      for (const [name, fields] of Object.entries(keys)) {
        database.exec(`CREATE TABLE ${name} (${fields.join()}, item TEXT, createdAt INTEGER)`);
        database.exec(`CREATE INDEX ${name}_key ON ${name} (${fields.join()})`);
      }
    },
    async Close() {
      database.close();
    },
    async Get(secret: string | false, collection: string, query: Fields = {}) {
      const rows = prepare(`SELECT item, createdAt FROM ${collection} WHERE ${where(query)}`).all(
        ...(Object.values(query) as string[]),
      ) as { item: string; createdAt: number }[];
      if (rows.length === 0) return false;
      return rows.map(({ item, createdAt }) => {
        const found = JSON.parse(item) as Fields;
        const opened = secret ? (JSON.parse(open(secret, found)) as Fields) : found;
        return { ...opened, createdAt };
      });
    },
    async Insert(secret: string | false, collection: string, item: Fields, index: Fields = {}) {
      put(collection, secret ? seal(secret, item) : item, index);
      return true;
    },
    async Replace(secret: string | false, collection: string, query: Fields, item: Fields, index: Fields = {}) {
      remove(collection, query);
      put(collection, secret ? seal(secret, item) : item, { ...index, ...query });
      return true;
    },
    async Modify() {
      return true;
    },
    async Delete(collection: string, query: Fields) {
      remove(collection, query);
      return true;
    },
  };
}

/** As the database of ltijs does: AES-256-CBC under a hash of the key. */
function seal(secret: string, item: Fields): Fields {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', hash(secret), iv);
  const data = Buffer.concat([cipher.update(JSON.stringify(item)), cipher.final()]).toString('hex');
  return { iv: iv.toString('hex'), data };
}

function open(secret: string, { iv, data }: Fields): string {
  const decipher = createDecipheriv('aes-256-cbc', hash(secret), Buffer.from(String(iv), 'hex'));
  return decipher.update(String(data), 'hex', 'utf8') + decipher.final('utf8');
}

const hash = (secret: string) => createHash('sha256').update(secret).digest();
