/** Tables and indexes of mailboxes beside `message` and `attachment`. */
export const mailboxSchema = `
CREATE INDEX messageByChange ON message (extensionId, changeSequence);
CREATE INDEX messageByConversation ON message (extensionId, conversationId) WHERE conversationId IS NOT NULL;
CREATE INDEX messageAlive ON message (extensionId, type, creationTime) WHERE availability = 'Alive';
CREATE TABLE mailboxCount (
  extensionId INTEGER NOT NULL, type TEXT NOT NULL, alive INTEGER NOT NULL, PRIMARY KEY (extensionId, type)) WITHOUT ROWID;
CREATE TABLE pagerParticipant (
  threadId TEXT NOT NULL, extensionId INTEGER NOT NULL, PRIMARY KEY (threadId, extensionId)) WITHOUT ROWID;
`;
