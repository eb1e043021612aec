/** Tables of chat groups and their webhooks. A post's content is JSON. */
export const chatSchema = `
CREATE TABLE chatGroup (id TEXT PRIMARY KEY, accountId INTEGER NOT NULL, type TEXT NOT NULL, name TEXT NOT NULL);
CREATE TABLE chatMember (groupId TEXT NOT NULL, extensionId INTEGER NOT NULL, PRIMARY KEY (groupId, extensionId)) WITHOUT ROWID;
CREATE TABLE chatWebhook (
  id TEXT PRIMARY KEY, key TEXT NOT NULL UNIQUE, creatorId INTEGER NOT NULL, groupId TEXT NOT NULL, createdAt INTEGER NOT NULL,
  modifiedAt INTEGER NOT NULL, status TEXT NOT NULL);
CREATE INDEX chatWebhookByCreator ON chatWebhook (creatorId);
CREATE TABLE chatPost (
  id INTEGER PRIMARY KEY, groupId TEXT NOT NULL, webhookId TEXT NOT NULL, createdAt INTEGER NOT NULL, content TEXT NOT NULL);
CREATE INDEX chatPostByGroup ON chatPost (groupId, id);
`;
