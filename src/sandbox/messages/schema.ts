/** Tables of the message store. Parties and details are JSON. */
export const messageSchema = `
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
CREATE INDEX messageByChange ON message (extensionId, changeSequence);
CREATE INDEX messageByConversation ON message (extensionId, conversationId) WHERE conversationId IS NOT NULL;
CREATE INDEX messageAlive ON message (extensionId, type, creationTime) WHERE availability = 'Alive';
CREATE TABLE mailboxCount (
  extensionId INTEGER NOT NULL, type TEXT NOT NULL, alive INTEGER NOT NULL, PRIMARY KEY (extensionId, type)) WITHOUT ROWID;
`;
