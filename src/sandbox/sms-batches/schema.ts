/** The tables of batches of texts. Times are milliseconds since 1970; statuses depend on the age of a batch. */
export const smsBatchSchema = `
CREATE TABLE smsBatch (
  id INTEGER PRIMARY KEY, accountId INTEGER NOT NULL, time INTEGER NOT NULL, sender TEXT NOT NULL, size INTEGER NOT NULL, rejected TEXT NOT NULL);
CREATE TABLE smsBatchMessage (
  id INTEGER PRIMARY KEY, batchId INTEGER NOT NULL, receivers TEXT NOT NULL, text TEXT NOT NULL);
CREATE INDEX smsBatchMessageByBatch ON smsBatchMessage (batchId, id);
`;
