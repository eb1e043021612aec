/** The table of the audit trail. */
export const auditSchema = `
CREATE TABLE auditRecord (
  id INTEGER PRIMARY KEY, accountId INTEGER NOT NULL, time INTEGER NOT NULL, actionId TEXT NOT NULL, initiatorId INTEGER NOT NULL,
  targetType TEXT NOT NULL, targetId TEXT NOT NULL, targetName TEXT NOT NULL, targetNumber TEXT, siteId TEXT, parameters TEXT NOT NULL);
CREATE INDEX auditByTime ON auditRecord (accountId, time);
`;
