import { auditSchema } from '../audit/schema.ts';
import { callSchema } from '../calls/schema.ts';
import { chatSchema } from '../chat/schema.ts';
import { directorySchema } from '../directory/schema.ts';
import { hoursSchema } from '../hours/schema.ts';
import { messageReportSchema } from '../message-reports/schema.ts';
import { messageSchema } from '../messages/schema.ts';
import { oauthSchema } from '../oauth/schema.ts';
import { pagerSchema } from '../pager/schema.ts';
import { presenceSchema } from '../presence/schema.ts';
import { queueSchema } from '../queues/schema.ts';
import { smsBatchSchema } from '../sms-batches/schema.ts';
import { subscriptionSchema } from '../subscriptions/schema.ts';
import { requestLogSchema } from '../server/request-log.ts';

/** Tables that belong to no domain. */
const ownSchema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE timer (id INTEGER PRIMARY KEY, due INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, UNIQUE (kind, subject));
CREATE INDEX timerByDue ON timer (due, id);
`;

/** Tables of a sandbox, domain by domain. Times are milliseconds since 1970. */
export const schema = [
  ownSchema,
  requestLogSchema,
  directorySchema,
  queueSchema,
  presenceSchema,
  oauthSchema,
  messageSchema,
  pagerSchema,
  callSchema,
  subscriptionSchema,
  chatSchema,
  auditSchema,
  hoursSchema,
  smsBatchSchema,
  messageReportSchema,
].join('');
/** The version of the tables, stored as user_version. */
export const schemaVersion = 13;
/**
 * Statements that upgrade the tables from each version to the next. They may only add columns that can be NULL at the
 * end of a table, because the sandbox also reads snapshots of these versions.
 */
export const upgrades: ReadonlyMap<number, string> = new Map([
  [
    12,
    `ALTER TABLE requestLog ADD COLUMN errorCode TEXT; ALTER TABLE requestLog ADD COLUMN errorMessage TEXT;
     ALTER TABLE callLeg ADD COLUMN callerId TEXT;`,
  ],
]);
