/** The table of the agents of call queues. */
export const queueSchema = `
CREATE TABLE departmentMember (
  departmentId INTEGER NOT NULL, extensionId INTEGER NOT NULL, PRIMARY KEY (departmentId, extensionId)) WITHOUT ROWID;
CREATE INDEX departmentByMember ON departmentMember (extensionId);
`;
