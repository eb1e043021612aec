/** The step of the schema that creates the tables of the archive. */
export const archiveStep = 2;

/** The step that adds the account of the archive, retention rules and legal holds. */
export const complianceStep = 3;

/** The step that adds the tokens of call log syncs. */
export const callSyncStep = 4;

/** The step that adds the file of an export. */
export const exportFileStep = 9;

/** The step that adds the ID of the archive. */
export const archiveIdStep = 14;

/**
 * The number of the newest schema step that an open store has. During an upgrade, the store may still lack the newest
 * step that this program knows.
 */
export type ArchiveSchema = number;
