import { z } from 'zod';
import {
  FORWARDING_FEATURES,
  FORWARDING_TYPES,
  PAYMENT_TYPES,
  PHONE_STATUSES,
  PHONE_TYPES,
  PHONE_USAGE_TYPES,
} from './enums.ts';
import { Id, listOf, openEnum } from './common.ts';

/** Specification, Phone number. Records with feature `SmsSender` can send SMS. */
export const PhoneNumber = z.strictObject({
  id: Id,
  uri: z.url().optional(),
  phoneNumber: z.string(),
  label: z.string().optional(),
  primary: z.boolean().optional(),
  paymentType: openEnum(PAYMENT_TYPES),
  type: openEnum(PHONE_TYPES),
  usageType: openEnum(PHONE_USAGE_TYPES),
  features: z.array(z.string()),
  status: openEnum(PHONE_STATUSES),
  country: z.strictObject({ uri: z.url(), id: z.string(), name: z.string() }),
});
export type PhoneNumber = z.infer<typeof PhoneNumber>;
export const PhoneNumberList = listOf(PhoneNumber);

/** Facts 1.1, L232. Records with feature `CallForwarding` can place two-legged calls. */
export const ForwardingNumber = z.strictObject({
  id: z.string(),
  uri: z.url(),
  phoneNumber: z.string(),
  label: z.string(),
  features: z.array(openEnum(FORWARDING_FEATURES)),
  flipNumber: z.string().optional(),
  type: openEnum(FORWARDING_TYPES),
});
export type ForwardingNumber = z.infer<typeof ForwardingNumber>;
export const ForwardingNumberList = listOf(ForwardingNumber);
