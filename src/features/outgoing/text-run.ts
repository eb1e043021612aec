import { createHash } from 'node:crypto';
import type { Client } from '../../client/index.ts';
import type { BulkWork, RunDetail } from '../bulk/index.ts';
import { ApiError } from '../../errors/service.ts';
import { KeyUsedError } from '../../errors/command.ts';
import type { ListedText } from './text-list.ts';

/** The kind of run that sends texts. */
export const textRunKind = 'sms.send';

/** What the journal holds of one text. */
export interface TextPayload extends ListedText {
  readonly from: string;
}

/** What the journal holds of the run. */
export interface TextRunDetail extends RunDetail {
  readonly dedupeKey: string | undefined;
}

/** Refusals of one receiver or text: the rest of the run may go on. */
const refusalsOfOne = new Set(['MSG-314', 'CMN-101']);

/**
 * One request for each text. It cannot be read back which were sent, so nothing is ever sent twice: a text whose answer was lost stays unknown
 * (`ucctl outcome resolve` looks for it).
 */
export function textWork(
  api: Pick<Client, 'messages'>,
  dedupeKey: string | undefined,
): BulkWork<TextPayload> {
  return {
    async send(items) {
      let requestId: string | undefined;
      for (const { payload } of items) {
        const { from, to, text } = payload;
        try {
          await api.messages.sendSms(
            { from: { phoneNumber: from }, to: [{ phoneNumber: to }], text },
            {
              dedupeKey: dedupeKey === undefined ? undefined : keyOf(dedupeKey, payload),
              onReply: (reply) => {
                requestId = reply.requestId;
              },
            },
          );
        } catch (error) {
          // The list was given again: what went out stays out, and that is no failure.
          if (!(error instanceof KeyUsedError && error.wasSent)) throw error;
          return { code: error.code, message: error.message };
        }
      }
      return { requestId };
    },
    judge(error) {
      if (error instanceof ApiError) return refusalsOfOne.has(error.code) ? 'refused' : undefined;
      return error instanceof KeyUsedError ? 'refused' : undefined;
    },
  };
}

/** One key for each text, so that the list can be given again and only the rest of it goes out. */
function keyOf(key: string, { to, text }: TextPayload): string {
  return `${key}:${createHash('sha256')
    .update(JSON.stringify([to, text]))
    .digest('hex')
    .slice(0, 24)}`;
}
