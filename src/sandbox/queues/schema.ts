/**
 * The tables of call queues: their agents, their settings, and the agents who do not accept the calls of a queue.
 */
export const queueSchema = `
CREATE TABLE departmentMember (
  departmentId INTEGER NOT NULL, extensionId INTEGER NOT NULL, PRIMARY KEY (departmentId, extensionId)) WITHOUT ROWID;
CREATE INDEX departmentByMember ON departmentMember (extensionId);
CREATE TABLE queueSetting (
  queueId INTEGER PRIMARY KEY, slaGoal INTEGER NOT NULL, slaThresholdSeconds INTEGER NOT NULL, includeAbandonedCalls INTEGER NOT NULL,
  abandonedThresholdSeconds INTEGER NOT NULL, editableMemberStatus INTEGER NOT NULL, alertTimer INTEGER NOT NULL);
CREATE TABLE queueAbsence (
  queueId INTEGER NOT NULL, extensionId INTEGER NOT NULL, PRIMARY KEY (queueId, extensionId)) WITHOUT ROWID;
`;
