/** Tables of apps, sessions, tokens and authorizations. Lists are JSON. */
export const oauthSchema = `
CREATE TABLE app (
  clientId TEXT PRIMARY KEY, clientSecret TEXT, name TEXT NOT NULL, registration TEXT NOT NULL, refreshAllowed INTEGER NOT NULL,
  production INTEGER NOT NULL, permissions TEXT NOT NULL, redirectUris TEXT NOT NULL);
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
`;
