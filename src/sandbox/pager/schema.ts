/** The table of members of pager threads. */
export const pagerSchema = `
CREATE TABLE pagerParticipant (
  threadId TEXT NOT NULL, extensionId INTEGER NOT NULL, PRIMARY KEY (threadId, extensionId)) WITHOUT ROWID;
`;
