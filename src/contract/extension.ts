import { z } from 'zod';
import { extensionStatuses, extensionTypes } from './enums.ts';
import { Id, listOf, multi, openEnum, PageQuery } from './common.ts';

/** An extension of the account (EXT-1 to EXT-9). */
export const Extension = z.strictObject({
  uri: z.url().optional(),
  id: Id,
  extensionNumber: z.string().optional(),
  contact: z
    .strictObject({
      firstName: z.string().optional(),
      lastName: z.string().optional(),
      email: z.string().optional(),
      company: z.string().optional(),
      jobTitle: z.string().optional(),
      department: z.string().optional(),
      businessPhone: z.string().optional(),
      mobilePhone: z.string().optional(),
    })
    .optional(),
  name: z.string(),
  type: openEnum(extensionTypes),
  status: openEnum(extensionStatuses),
  statusInfo: z.strictObject({ comment: z.string().optional(), reason: z.string().optional() }).optional(),
  permissions: z
    .strictObject({
      admin: z.strictObject({ enabled: z.boolean().optional() }).optional(),
      internationalCalling: z.strictObject({ enabled: z.boolean().optional() }).optional(),
    })
    .optional(),
  profileImage: z.strictObject({ uri: z.url() }).optional(),
  site: z.strictObject({ id: z.string().optional(), name: z.string().optional() }).optional(),
});
export type Extension = z.infer<typeof Extension>;
/** An extension as the sandbox sends it. */
export const CompleteExtension = Extension.required({ uri: true }).extend({
  permissions: z
    .strictObject({
      admin: z.strictObject({ enabled: z.boolean() }),
      internationalCalling: z.strictObject({ enabled: z.boolean() }),
    })
    .optional(),
  site: z.strictObject({ id: z.string(), name: z.string().optional() }).optional(),
});
export const ExtensionList = listOf(CompleteExtension);

export const ExtensionQuery = PageQuery.extend({
  extensionNumber: z.string().optional(),
  email: multi(z.string()),
  status: multi(z.enum(extensionStatuses)),
  type: multi(z.enum(extensionTypes)),
});
/** Filters of the extension list (EXT-12). */
export interface ExtensionFilter {
  readonly extensionNumber?: string;
  readonly email?: readonly string[];
  readonly status?: readonly string[];
  readonly type?: readonly string[];
}
