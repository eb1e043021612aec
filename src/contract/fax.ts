import { z } from 'zod';
import { faxResolutions } from './enums.ts';
import { Id } from './common.ts';
import { faxCoverIndexMax, faxCoverTextCharacters } from './limits.ts';

const Recipient = z.object({ phoneNumber: z.string(), name: z.string().optional() });

/** The envelope of a fax: the JSON part of a multipart body, or its form fields (FAX-2 to FAX-6). */
export const FaxEnvelope = z.object({
  to: z.array(Recipient).min(1),
  faxResolution: z.enum(faxResolutions).optional(),
  /** ISO 8601; in the future it schedules the fax. */
  sendTime: z.iso.datetime({ offset: true }).optional(),
  /** ISO 3166 alpha-2 country for national numbers. */
  isoCode: z.string().length(2).optional(),
  /** 0 is no cover page. */
  coverIndex: z.int().min(0).max(faxCoverIndexMax).optional(),
  coverPageText: z.string().max(faxCoverTextCharacters).optional(),
});
export type FaxEnvelope = z.infer<typeof FaxEnvelope>;

/** JSON body without documents: sends an earlier fax again, or forwards it. */
export const FaxResend = z.object({
  originalMessageId: Id,
  to: z.array(Recipient).optional(),
  sendTime: z.iso.datetime({ offset: true }).optional(),
});
export type FaxResend = z.infer<typeof FaxResend>;
