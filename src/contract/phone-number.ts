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
  paymentType: openEnum(paymentTypes),
  type: openEnum(phoneTypes),
  usageType: openEnum(phoneUsageTypes),
  features: z.array(z.string()),
  status: openEnum(phoneStatuses),
  country: z.strictObject({ uri: z.url(), id: z.string(), name: z.string() }).optional(),
});
export type PhoneNumber = z.infer<typeof PhoneNumber>;
export const PhoneNumberList = listOf(PhoneNumber);

/** A forwarding number of an extension (NUMBER-4). Numbers with feature `CallForwarding` can place RingOut calls. */
export const ForwardingNumber = z.strictObject({
  id: z.string(),
  uri: z.url(),
  phoneNumber: z.string(),
  label: z.string(),
  features: z.array(openEnum(forwardingFeatures)),
  flipNumber: z.string().optional(),
  type: openEnum(forwardingTypes),
});
export type ForwardingNumber = z.infer<typeof ForwardingNumber>;
export const ForwardingNumberList = listOf(ForwardingNumber);
