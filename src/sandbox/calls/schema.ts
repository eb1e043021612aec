/** Tables of calls: sessions with their legs, the log, recordings. */
export const callSchema = `
CREATE TABLE call (
  id INTEGER PRIMARY KEY, accountId INTEGER NOT NULL, kind TEXT NOT NULL, ownerId INTEGER, queueId INTEGER, callStatus TEXT NOT NULL,
  ending TEXT, playPrompt INTEGER NOT NULL, telephonySessionId TEXT NOT NULL, startedAt INTEGER NOT NULL, connectedAt INTEGER, endedAt INTEGER,
  talkMilliseconds INTEGER NOT NULL);
CREATE INDEX callByEnd ON call (accountId, endedAt);
CREATE TABLE callLeg (
  callId INTEGER NOT NULL, position INTEGER NOT NULL, extensionId INTEGER, phoneNumber TEXT, name TEXT, status TEXT NOT NULL,
  plan TEXT NOT NULL, startedAt INTEGER, answeredAt INTEGER, endedAt INTEGER, held TEXT, forwardedTo TEXT, callerId TEXT,
  PRIMARY KEY (callId, position)) WITHOUT ROWID;
CREATE INDEX callLegLive ON callLeg (extensionId) WHERE endedAt IS NULL;
CREATE INDEX callLegByNumber ON callLeg (phoneNumber) WHERE endedAt IS NULL;
CREATE INDEX callLegByExtension ON callLeg (extensionId, callId);
CREATE TABLE callRecord (
  id INTEGER PRIMARY KEY, accountId INTEGER NOT NULL, extensionId INTEGER NOT NULL, sessionId TEXT NOT NULL, telephonySessionId TEXT NOT NULL,
  startTime INTEGER NOT NULL, duration INTEGER NOT NULL, type TEXT NOT NULL, direction TEXT NOT NULL, action TEXT NOT NULL,
  result TEXT NOT NULL, transport TEXT NOT NULL, sender TEXT NOT NULL, recipient TEXT NOT NULL, fromNumber TEXT, toNumber TEXT,
  fromExtension TEXT, toExtension TEXT, legs TEXT NOT NULL, recordingId INTEGER, messageId INTEGER, messageType TEXT,
  lastModifiedTime INTEGER NOT NULL, deleted INTEGER NOT NULL);
CREATE INDEX callRecordByExtension ON callRecord (extensionId, startTime);
CREATE INDEX callRecordByAccount ON callRecord (accountId, startTime);
CREATE INDEX callRecordBySession ON callRecord (sessionId);
CREATE INDEX callRecordByTelephonySession ON callRecord (telephonySessionId);
CREATE TABLE recording (
  id INTEGER PRIMARY KEY, accountId INTEGER NOT NULL, sessionId TEXT NOT NULL, type TEXT NOT NULL, duration INTEGER NOT NULL,
  startTime INTEGER NOT NULL);
`;
