import { callSchema } from './call-schema.ts';
import { mailboxSchema } from './mailbox-schema.ts';
import { eventsSchema } from './events-schema.ts';

/** Tables of a sandbox. Times are milliseconds since 1970; lists and parties are JSON. */
export const schema = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE account (
  id INTEGER PRIMARY KEY, mainNumber TEXT NOT NULL, administratorId INTEGER, operatorId INTEGER,
  brandId TEXT NOT NULL, partnerAccountId TEXT NOT NULL);
CREATE TABLE app (
  clientId TEXT PRIMARY KEY, clientSecret TEXT, name TEXT NOT NULL, registration TEXT NOT NULL, refreshAllowed INTEGER NOT NULL,
  production INTEGER NOT NULL, permissions TEXT NOT NULL, redirectUris TEXT NOT NULL);
CREATE TABLE extension (
  id INTEGER PRIMARY KEY, accountId INTEGER NOT NULL, extensionNumber TEXT, name TEXT NOT NULL, firstName TEXT, lastName TEXT,
  email TEXT, type TEXT NOT NULL, status TEXT NOT NULL, statusReason TEXT, role TEXT NOT NULL, password TEXT,
  admin INTEGER NOT NULL, internationalCalling INTEGER NOT NULL,
  UNIQUE (accountId, extensionNumber));
CREATE UNIQUE INDEX extensionByEmail ON extension (email) WHERE email IS NOT NULL;
CREATE INDEX extensionByType ON extension (accountId, type);
CREATE TABLE departmentMember (
  departmentId INTEGER NOT NULL, extensionId INTEGER NOT NULL, PRIMARY KEY (departmentId, extensionId)) WITHOUT ROWID;
CREATE INDEX departmentByMember ON departmentMember (extensionId);
CREATE TABLE presence (
  extensionId INTEGER PRIMARY KEY, userStatus TEXT NOT NULL, dndStatus TEXT NOT NULL, message TEXT, allowSeeMyPresence INTEGER NOT NULL,
  ringOnMonitoredCall INTEGER NOT NULL, pickUpCallsOnHold INTEGER NOT NULL, telephonyStatus TEXT NOT NULL, meetingStatus TEXT NOT NULL,
  sequence INTEGER NOT NULL);
CREATE TABLE phoneNumber (
  id INTEGER PRIMARY KEY, accountId INTEGER NOT NULL, extensionId INTEGER, phoneNumber TEXT NOT NULL UNIQUE, usageType TEXT NOT NULL,
  type TEXT NOT NULL, paymentType TEXT NOT NULL, features TEXT NOT NULL, label TEXT);
CREATE INDEX phoneNumberByExtension ON phoneNumber (extensionId);
CREATE TABLE forwardingNumber (
  id INTEGER PRIMARY KEY, extensionId INTEGER NOT NULL, phoneNumber TEXT NOT NULL, label TEXT NOT NULL, features TEXT NOT NULL,
  flipNumber TEXT, type TEXT NOT NULL, isDefault INTEGER NOT NULL);
CREATE INDEX forwardingNumberByExtension ON forwardingNumber (extensionId);
CREATE TABLE chatGroup (id TEXT PRIMARY KEY, accountId INTEGER NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL);
CREATE TABLE session (
  id INTEGER PRIMARY KEY, clientId TEXT NOT NULL, extensionId INTEGER NOT NULL, endpointId TEXT, createdAt INTEGER NOT NULL,
  kind TEXT NOT NULL);
CREATE INDEX sessionByUser ON session (extensionId, clientId);
CREATE TABLE token (
  token TEXT PRIMARY KEY, kind TEXT NOT NULL, sessionId INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  expiresAt INTEGER NOT NULL, usedAt INTEGER, successor TEXT, successorAccess TEXT) WITHOUT ROWID;
CREATE INDEX tokenBySession ON token (sessionId);
CREATE TABLE authorization (
  code TEXT PRIMARY KEY, stage TEXT NOT NULL, clientId TEXT NOT NULL, redirectUri TEXT NOT NULL, extensionId INTEGER NOT NULL,
  codeChallenge TEXT, codeChallengeMethod TEXT, expiresAt INTEGER NOT NULL, sessionId INTEGER) WITHOUT ROWID;
CREATE TABLE conversation (
  extensionId INTEGER NOT NULL, ownNumber TEXT NOT NULL, peerNumber TEXT NOT NULL, id TEXT NOT NULL,
  PRIMARY KEY (extensionId, ownNumber, peerNumber)) WITHOUT ROWID;
CREATE TABLE message (
  id INTEGER PRIMARY KEY, extensionId INTEGER NOT NULL, type TEXT NOT NULL, direction TEXT NOT NULL, availability TEXT NOT NULL,
  readStatus TEXT NOT NULL, messageStatus TEXT NOT NULL, priority TEXT NOT NULL, creationTime INTEGER NOT NULL,
  lastModifiedTime INTEGER NOT NULL, sender TEXT NOT NULL, recipients TEXT NOT NULL, subject TEXT, conversationId TEXT,
  deliveryTime INTEGER, sendingAttempts INTEGER, details TEXT NOT NULL, changeSequence INTEGER NOT NULL);
CREATE INDEX messageByTime ON message (extensionId, creationTime, id);
CREATE TABLE attachment (
  id INTEGER PRIMARY KEY, messageId INTEGER NOT NULL, type TEXT NOT NULL, contentType TEXT NOT NULL, fileName TEXT, vmDuration INTEGER,
  content BLOB NOT NULL);
CREATE INDEX attachmentByMessage ON attachment (messageId);
CREATE TABLE subscription (
  id TEXT PRIMARY KEY, clientId TEXT NOT NULL, extensionId INTEGER NOT NULL, eventFilters TEXT NOT NULL, transportType TEXT NOT NULL,
  address TEXT NOT NULL, verificationToken TEXT, encryptionKey TEXT, subscriberKey TEXT, secretKey TEXT, createdAt INTEGER NOT NULL,
  expiresAt INTEGER NOT NULL, lifetimeSeconds INTEGER NOT NULL, state TEXT NOT NULL, status TEXT NOT NULL, failingSince INTEGER,
  blacklistedAt INTEGER, blacklistReason TEXT, disabledFilters TEXT NOT NULL);
CREATE INDEX subscriptionByUser ON subscription (extensionId, clientId);
CREATE TABLE watch (
  topic TEXT NOT NULL, subscriptionId TEXT NOT NULL, filter TEXT NOT NULL, PRIMARY KEY (topic, subscriptionId, filter)) WITHOUT ROWID;
CREATE INDEX watchBySubscription ON watch (subscriptionId);
CREATE TABLE delivery (
  id INTEGER PRIMARY KEY AUTOINCREMENT, subscriptionId TEXT NOT NULL, uuid TEXT NOT NULL, payload TEXT NOT NULL, createdAt INTEGER NOT NULL,
  state TEXT NOT NULL, attempts INTEGER NOT NULL, status INTEGER, error TEXT, finishedAt INTEGER);
CREATE INDEX deliveryPending ON delivery (id) WHERE state = 'pending';
CREATE INDEX deliveryBySubscription ON delivery (subscriptionId);
CREATE TABLE timer (id INTEGER PRIMARY KEY, due INTEGER NOT NULL, kind TEXT NOT NULL, subject TEXT NOT NULL, UNIQUE (kind, subject));
CREATE INDEX timerByDue ON timer (due, id);
CREATE TABLE requestLog (
  id INTEGER PRIMARY KEY, time INTEGER NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, status INTEGER NOT NULL, operation TEXT,
  unread TEXT NOT NULL);
${callSchema}
${eventsSchema}
${mailboxSchema}`;
/** Stored as user_version; a file of another version is refused. */
export const schemaVersion = 4;
