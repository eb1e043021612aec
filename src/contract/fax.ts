import { z } from 'zod';
import { faxResolutions } from './enums.ts';
import { countryCode, Id } from './common.ts';
import { CompleteAttachment, CompleteMessage } from './message.ts';
import { faxCoverIndexMax, faxCoverTextCharacters } from './limits.ts';

const Recipient = z.object({ phoneNumber: z.string(), name: z.string().optional() });

/** The envelope of a fax: the JSON part of a multipart body, or its form fields (FAX-2 to FAX-6). */
export const FaxEnvelope = z.object({
  to: z.array(Recipient).min(1),
  faxResolution: z.enum(faxResolutions).optional(),
  /** Time to send the fax, in ISO 8601 format. A time in the future schedules the fax. */
  sendTime: z.iso.datetime({ offset: true }).optional(),
  /** Country of national numbers. */
  isoCode: countryCode.optional(),
  /** Number of the cover page; 0 for none. */
  coverIndex: z.int().min(0).max(faxCoverIndexMax).optional(),
  coverPageText: z.string().max(faxCoverTextCharacters).optional(),
});
export type FaxEnvelope = z.infer<typeof FaxEnvelope>;

/** A fax request without documents: resends an earlier fax, or forwards it to other recipients. */
export const FaxResend = z.object({
  originalMessageId: Id,
  to: z.array(Recipient).optional(),
  sendTime: z.iso.datetime({ offset: true }).optional(),
});
export type FaxResend = z.infer<typeof FaxResend>;

/** The reply to a fax: a message whose documents have a `filename` instead of a `fileName` (FAX-13). */
export const FaxReply = CompleteMessage.extend({
  attachments: z.array(
    CompleteAttachment.omit({ fileName: true, vmDuration: true }).extend({ filename: z.string().optional() }),
  ),
});
