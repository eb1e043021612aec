// The smallest program that makes the requests of `sync --extension all` and stores the replies: undici without retries or limits, JSON.parse,
// and one SQLite transaction for each mailbox, which waits for the disk only at checkpoints. Usage: node bare-copy.mjs ORIGIN TOKEN CONCURRENCY FILE
import { createRequire } from 'node:module';
import { Pool } from 'undici';

const [, , origin, token, concurrency, file] = process.argv;
const { DatabaseSync } =
  process.getBuiltinModule('node:sqlite') ?? createRequire(import.meta.url)('@photostructure/sqlite');
const pageSize = 1000;
/** Types of extensions without a mailbox. */
const others = new Set(['IvrMenu', 'ParkLocation', 'PagingOnly', 'Announcement', 'ApplicationExtension']);
const pool = new Pool(origin, { connections: Number(concurrency) });
const headers = { authorization: `Bearer ${token}` };

async function read(path) {
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path: `/restapi/v1.0/account/~/extension${path}`,
    headers,
  });
  const reply = await body.json();
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`);
  return reply;
}

const db = new DatabaseSync(file);
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE mailbox (extension_id TEXT PRIMARY KEY, extension_number TEXT, name TEXT);
  CREATE TABLE stream (extension_id TEXT PRIMARY KEY, sync_token TEXT, sync_time TEXT);
  CREATE TABLE message (pk INTEGER PRIMARY KEY, extension_id TEXT, message_id TEXT, raw TEXT, UNIQUE (extension_id, message_id));`);
const addMailbox = db.prepare('INSERT INTO mailbox VALUES (?, ?, ?)');
const addStream = db.prepare('INSERT INTO stream VALUES (?, ?, ?)');
const addMessage = db.prepare('INSERT INTO message (extension_id, message_id, raw) VALUES (?, ?, ?)');

function store({ id, extensionNumber, name }, { records, syncInfo }) {
  const extensionId = String(id);
  db.exec('BEGIN IMMEDIATE');
  addMailbox.run(extensionId, extensionNumber ?? null, name ?? null);
  for (const record of records) addMessage.run(extensionId, String(record.id), JSON.stringify(record));
  addStream.run(extensionId, syncInfo.syncToken, syncInfo.syncTime);
  db.exec('COMMIT');
}

const mailboxes = [];
for (let page = 1, pages = 1; page <= pages; page += 1) {
  const { records, paging } = await read(`?page=${page}&perPage=${pageSize}`);
  pages = paging.totalPages;
  mailboxes.push(...records.filter(({ type }) => !others.has(type)));
}
const next = mailboxes.values();
async function work() {
  for (const mailbox of next) {
    const path = `/${mailbox.id}/message-sync?syncType=FSync&dateFrom=2000-01-01T00%3A00%3A00.000Z`;
    store(mailbox, await read(path));
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, work));
await pool.close();
db.close();
