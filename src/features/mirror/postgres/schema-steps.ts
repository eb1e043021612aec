/** The step of the schema that creates the tables of the archive. */
export const archiveStep = 2;

/** The step that adds the account of the archive, retention rules and legal holds. */
export const complianceStep = 3;

/** The number of the newest step of an open store. During an upgrade it may lack the newest step of this program. */
export type ArchiveSchema = number;
