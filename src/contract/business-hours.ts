import { z } from 'zod';

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof weekdays)[number];

/** A time of day: hours and minutes (HOURS-2). */
const TimeOfDay = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?|24:00(:00)?)$/);
const TimeRange = z.strictObject({ from: TimeOfDay.optional(), to: TimeOfDay.optional() });
const Ranges = z.array(TimeRange).optional();

export const WeeklyRanges = z.strictObject({
  monday: Ranges,
  tuesday: Ranges,
  wednesday: Ranges,
  thursday: Ranges,
  friday: Ranges,
  saturday: Ranges,
  sunday: Ranges,
});
export type WeeklyRanges = z.infer<typeof WeeklyRanges>;

/** Business hours of the company or of an extension (HOURS-1 to HOURS-3). */
export const BusinessHours = z.strictObject({
  uri: z.url().optional(),
  schedule: z.strictObject({ weeklyRanges: WeeklyRanges.optional() }).optional(),
});
export type BusinessHours = z.infer<typeof BusinessHours>;

export const BusinessHoursUpdate = z.object({
  schedule: z.object({ weeklyRanges: WeeklyRanges.optional() }),
});
export type BusinessHoursUpdate = z.infer<typeof BusinessHoursUpdate>;
/** A change of the hours of the company, in which `schedule` is optional (HOURS-3). */
export const CompanyHoursUpdate = BusinessHoursUpdate.partial();
