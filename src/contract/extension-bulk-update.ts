import { z } from 'zod';
import { openEnum, Timestamp } from './common.ts';
import { extensionBulkUpdate } from './limits.ts';

/** Statuses that a change can set (EXT-14). */
const settableStatuses = ['Enabled', 'Disabled', 'Frozen', 'NotActivated'] as const;
/** Reasons for a status other than Enabled (EXT-14). */
const statusReasons = ['Voluntarily', 'Involuntarily'] as const;
const bulkUpdateStatuses = ['Accepted', 'InProgress', 'Completed', 'Failed'] as const;

const name = z.string().max(64).optional();

/** The change of one extension (EXT-18). */
export const ExtensionUpdate = z.object({
  id: z.string().min(1),
  status: z.enum(settableStatuses).optional(),
  statusInfo: z
    .object({ comment: z.string().optional(), reason: z.enum(statusReasons).optional() })
    .optional(),
  extensionNumber: z.string().max(8).optional(),
  contact: z
    .object({
      firstName: name,
      lastName: name,
      company: name,
      jobTitle: name,
      department: name,
      email: z.string().max(254).optional(),
      businessPhone: z.string().optional(),
      mobilePhone: z.string().optional(),
    })
    .optional(),
  site: z.object({ id: z.string().min(1) }).optional(),
});
export type ExtensionUpdate = z.infer<typeof ExtensionUpdate>;
/** The change of the extension in the path (EXT-14). */
export const ExtensionChange = ExtensionUpdate.omit({ id: true });
export const ExtensionBulkUpdateRequest = z.object({
  records: z.array(ExtensionUpdate).min(1).max(extensionBulkUpdate.records).readonly(),
});

const TaskError = z.strictObject({
  errorCode: z.string().optional(),
  message: z.string().optional(),
  parameterName: z.string().optional(),
  parameterValue: z.string().optional(),
});

/** A task that changes extensions (EXT-19, EXT-20). */
export const ExtensionBulkUpdateTask = z.strictObject({
  uri: z.url().optional(),
  id: z.string(),
  status: openEnum(bulkUpdateStatuses),
  creationTime: Timestamp.optional(),
  lastModifiedTime: Timestamp.optional(),
  result: z
    .strictObject({
      affectedItems: z
        .strictObject({
          result: z
            .array(
              z.strictObject({
                extensionId: z.string().optional(),
                status: openEnum(['Fail', 'Success']).optional(),
                errors: z.array(TaskError).optional(),
              }),
            )
            .optional(),
        })
        .optional(),
      errors: z.array(TaskError).optional(),
    })
    .optional(),
});
export type ExtensionBulkUpdateTask = z.infer<typeof ExtensionBulkUpdateTask>;
/** A task as the sandbox sends it. */
export const CompleteExtensionBulkUpdateTask = ExtensionBulkUpdateTask.required({ uri: true });
