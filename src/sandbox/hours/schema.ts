/** The tables of business hours and answering rules. The owner of company hours is the account. */
export const hoursSchema = `
CREATE TABLE businessHours (ownerId INTEGER PRIMARY KEY, schedule TEXT NOT NULL);
CREATE TABLE answeringRule (
  extensionId INTEGER NOT NULL, id TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (extensionId, id)) WITHOUT ROWID;
`;
