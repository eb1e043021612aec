import type { Migration } from './migration.ts';
import { archiveMigration } from './archive-schema.ts';
import { complianceMigration } from './compliance-schema.ts';
import { coordinatorMigration } from './coordinator-schema.ts';

/** All steps of the schema, in order. */
export const migrations: readonly Migration[] = [coordinatorMigration, archiveMigration, complianceMigration];

/** The number of the newest step that this program knows. */
export function newestMigration(steps: readonly Migration[] = migrations): number {
  return steps.at(-1)?.number ?? 0;
}
