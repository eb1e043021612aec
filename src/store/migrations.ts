import type { Migration } from './migration.ts';
import { archiveIdMigration } from './archive-id-schema.ts';
import { archiveMigration } from './archive-schema.ts';
import { callIndexMigration } from './call-index-schema.ts';
import { callSyncMigration } from './call-sync-schema.ts';
import { complianceMigration } from './compliance-schema.ts';
import { coordinatorMigration } from './coordinator-schema.ts';
import { deletionPolicyMigration } from './deletion-policy-schema.ts';
import { eventDoneMigration } from './event-done-schema.ts';
import { exportFileMigration } from './export-schema.ts';
import { feedMigration } from './feed-schema.ts';
import { fleetRejectionMigration } from './fleet-rejection-schema.ts';
import { fleetMigration } from './fleet-schema.ts';
import { outcomeIndexMigration } from './outcome-index-schema.ts';
import { ownerFunctionMigration } from './owner-function-schema.ts';
import { receiverMigration } from './receiver-schema.ts';
import { socketMigration } from './socket-schema.ts';
import { taskPolicyMigration } from './task-policy-schema.ts';
import { workerOwnerMigration } from './worker-owner-schema.ts';

/** All steps of the schema, in order. */
export const migrations: readonly Migration[] = [
  coordinatorMigration,
  archiveMigration,
  complianceMigration,
  callSyncMigration,
  fleetMigration,
  receiverMigration,
  socketMigration,
  callIndexMigration,
  exportFileMigration,
  feedMigration,
  eventDoneMigration,
  outcomeIndexMigration,
  ownerFunctionMigration,
  archiveIdMigration,
  fleetRejectionMigration,
  deletionPolicyMigration,
  workerOwnerMigration,
  taskPolicyMigration,
];

/** Returns the number of the newest step that this program knows. */
export function newestMigration(steps: readonly Migration[] = migrations): number {
  return steps.at(-1)?.number ?? 0;
}
