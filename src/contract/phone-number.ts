import { z } from 'zod';
import {
  forwardingFeatures,
  forwardingTypes,
  paymentTypes,
  phoneStatuses,
  phoneTypes,
  phoneUsageTypes,
} from './enums.ts';
import { Id, listOf, openEnum } from './common.ts';

/** A phone number of an extension (NUMBER-2). Numbers with feature `SmsSender` can send SMS. */
export const PhoneNumber = z.strictObject({
  id: Id,
  uri: z.url().optional(),
  phoneNumber: z.string(),
  label: z.string().optional(),
  primary: z.boolean().optional(),
  paymentType: openEnum(paymentTypes).optional(),
  type: openEnum(phoneTypes).optional(),
  usageType: openEnum(phoneUsageTypes).optional(),
  features: z.array(z.string()),
  status: openEnum(phoneStatuses).optional(),
  country: z
    .strictObject({ uri: z.url().optional(), id: z.string().optional(), name: z.string().optional() })
    .optional(),
});
export type PhoneNumber = z.infer<typeof PhoneNumber>;
/** The list as the sandbox sends it. */
export const PhoneNumberList = listOf(
  PhoneNumber.required({ paymentType: true, type: true, usageType: true, status: true }).extend({
    country: z.strictObject({ uri: z.url(), id: z.string(), name: z.string() }).optional(),
  }),
);

/** A forwarding number of an extension (NUMBER-4). Numbers with feature `CallForwarding` can place RingOut calls. */
export const ForwardingNumber = z.strictObject({
  id: z.string(),
  uri: z.url().optional(),
  phoneNumber: z.string(),
  label: z.string(),
  features: z.array(openEnum(forwardingFeatures)),
  flipNumber: z.string().optional(),
  type: openEnum(forwardingTypes).optional(),
});
export type ForwardingNumber = z.infer<typeof ForwardingNumber>;
/** The list as the sandbox sends it. */
export const ForwardingNumberList = listOf(ForwardingNumber.required({ uri: true, type: true }));
