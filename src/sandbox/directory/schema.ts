/** Tables of accounts, extensions and numbers. */
export const directorySchema = `
CREATE TABLE account (
  id INTEGER PRIMARY KEY, mainNumber TEXT NOT NULL, administratorId INTEGER, operatorId INTEGER,
  brandId TEXT NOT NULL, partnerAccountId TEXT NOT NULL);
CREATE TABLE extension (
  id INTEGER PRIMARY KEY, accountId INTEGER NOT NULL, extensionNumber TEXT, name TEXT NOT NULL, firstName TEXT, lastName TEXT,
  email TEXT, type TEXT NOT NULL, status TEXT NOT NULL, statusReason TEXT, statusComment TEXT, role TEXT NOT NULL, password TEXT,
  admin INTEGER NOT NULL, internationalCalling INTEGER NOT NULL,
  UNIQUE (accountId, extensionNumber));
CREATE UNIQUE INDEX extensionByEmail ON extension (email) WHERE email IS NOT NULL;
CREATE INDEX extensionByType ON extension (accountId, type);
CREATE INDEX extensionByAccount ON extension (accountId);
CREATE TABLE extensionDetail (
  extensionId INTEGER PRIMARY KEY, company TEXT, jobTitle TEXT, department TEXT, businessPhone TEXT, mobilePhone TEXT, siteId TEXT);
CREATE TABLE site (id TEXT PRIMARY KEY, accountId INTEGER NOT NULL, name TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE extensionTask (
  id TEXT PRIMARY KEY, accountId INTEGER NOT NULL, extensionId INTEGER NOT NULL, status TEXT NOT NULL, createdAt INTEGER NOT NULL,
  changedAt INTEGER NOT NULL, records TEXT NOT NULL, results TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE phoneNumber (
  id INTEGER PRIMARY KEY, accountId INTEGER NOT NULL, extensionId INTEGER, phoneNumber TEXT NOT NULL UNIQUE, usageType TEXT NOT NULL,
  type TEXT NOT NULL, paymentType TEXT NOT NULL, features TEXT NOT NULL, label TEXT);
CREATE INDEX phoneNumberByExtension ON phoneNumber (extensionId);
CREATE TABLE forwardingNumber (
  id INTEGER PRIMARY KEY, extensionId INTEGER NOT NULL, phoneNumber TEXT NOT NULL, label TEXT NOT NULL, features TEXT NOT NULL,
  flipNumber TEXT, type TEXT NOT NULL, isDefault INTEGER NOT NULL);
CREATE INDEX forwardingNumberByExtension ON forwardingNumber (extensionId);
`;
