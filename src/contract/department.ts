import { z } from 'zod';
import { Id, listOf } from './common.ts';

/** An agent of a call queue (QUEUE-6 to QUEUE-8). */
export const DepartmentMember = z.strictObject({
  uri: z.url().optional(),
  id: Id,
  extensionNumber: z.string().optional(),
});
export type DepartmentMember = z.infer<typeof DepartmentMember>;
/** The list as the sandbox sends it. */
export const DepartmentMemberList = listOf(DepartmentMember.required({ uri: true }));

/** Changes of the agents of one queue (QUEUE-9 to QUEUE-11). Only in this request are the IDs strings. */
export const BulkAssignItem = z.object({
  departmentId: z.string().min(1),
  addedExtensionIds: z.array(z.string()).readonly().optional(),
  removedExtensionIds: z.array(z.string()).readonly().optional(),
});
export type BulkAssignItem = z.infer<typeof BulkAssignItem>;
export const BulkAssignRequest = z.object({ items: z.array(BulkAssignItem).min(1) });
