/** Which extensions are agents of which call queue. */
export const queueSchema = `
CREATE TABLE departmentMember (
  departmentId INTEGER NOT NULL, extensionId INTEGER NOT NULL, PRIMARY KEY (departmentId, extensionId)) WITHOUT ROWID;
CREATE INDEX departmentByMember ON departmentMember (extensionId);
`;
