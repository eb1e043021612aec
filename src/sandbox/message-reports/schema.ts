/** Table of the reports of messages. Times in milliseconds since 1970; types are JSON. */
export const messageReportSchema = `
CREATE TABLE messageReport (
  id TEXT PRIMARY KEY, accountId INTEGER NOT NULL, extensionId INTEGER NOT NULL, createdAt INTEGER NOT NULL, dateFrom INTEGER NOT NULL,
  dateTo INTEGER NOT NULL, types TEXT NOT NULL) WITHOUT ROWID;
`;
