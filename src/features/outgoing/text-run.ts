import { createHash } from 'node:crypto';
import { deliveryErrorText } from '../../platform/delivery-error-text.ts';
import { hasFailed } from '../../platform/message-failure.ts';
import type { Client, RequestOptions } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import type { SmsBatchRequest } from '../../contract/sms-batch.ts';
import type { ErrorClass } from '../bulk/error-class.ts';
import type { BulkWork, NewItem, Receipt, RunDetail } from '../bulk/index.ts';
import { ApiError } from '../../errors/service.ts';
import { KeyUsedError, OutcomeResolvedError } from '../../errors/command.ts';
import { dedupeKeyMilliseconds } from '../../runtime/outgoing-options.ts';
import type { ListedText } from './text-list.ts';

/** The kind of run that sends texts. */
export const textRunKind = 'sms.send';

/** One text in the run journal. */
export interface TextPayload extends ListedText {
  readonly from: string;
}

/** The detail of a run of texts, as stored in the journal. */
export interface TextRunDetail extends RunDetail {
  readonly dedupeKey: string | undefined;
  /** Whether the texts are sent in batches. */
  readonly highVolume?: boolean;
  /** The user who started the run, such as `extension 400131042008`. Absent in a run of an older version. */
  readonly sender?: string;
}

/** Error codes that concern one recipient or text, after which the run continues. */
const codesOfOneText = new Set(['MSG-314', 'CMN-101']);

/**
 * Sends one request for each text. Sent texts cannot be read back, so no text is sent twice. A text without a reply has
 * an unknown outcome, which `ucctl outcome resolve` looks up.
 */
export function textWork(
  api: Pick<Client, 'messages'>,
  dedupeKey: string | undefined,
  started: number,
): BulkWork<TextPayload> {
  return {
    async send(items) {
      let requestId: string | undefined;
      let resultId: string | undefined;
      const rejected = new Map<number, Receipt>();
      for (const { seq, payload } of items) {
        try {
          const sent = await sendText(api, payload, keyOf(dedupeKey, payload, started), (reply) => {
            requestId = reply.requestId;
          });
          resultId = String(sent.id);
          const failure = failureOf(sent);
          if (failure) rejected.set(seq, failure);
        } catch (error) {
          // A text that was already sent under this key is not a failure, because users may deliberately
          // send the same list again.
          if (!(error instanceof KeyUsedError && error.wasSent)) throw error;
          return { code: error.code, message: error.message, resultId: error.earlier.id };
        }
      }
      return { requestId, resultId, rejected };
    },
    classify(error) {
      if (error instanceof ApiError) return codesOfOneText.has(error.code) ? 'rejected' : undefined;
      return error instanceof KeyUsedError ? 'rejected' : classifyUnsent(error);
    },
  };
}

/**
 * A request whose outcome another process resolved may have been sent by that process. The run can still send the others,
 * and a resumption uses the resolution.
 */
function classifyUnsent(error: unknown): ErrorClass | undefined {
  return error instanceof OutcomeResolvedError ? 'unknown' : undefined;
}

/** Returns the receipt of a text that the service accepted but could not send; undefined for any other text. */
function failureOf(sent: Message): Receipt | undefined {
  const failed = [sent, ...sent.to].find(hasFailed);
  if (!failed) return undefined;
  const { id, deliveryErrorCode } = sent;
  const code = deliveryErrorCode ?? failed.messageStatus ?? 'SendingFailed';
  return { code, message: `the service could not send text ${id}: ${deliveryErrorText(code)}` };
}

/**
 * Sends texts in batches (TEXTBATCH-1). If there is no reply to a batch, the outcome of the batch and of each text is
 * unknown, and the batch is never sent again.
 */
export function batchWork(api: Pick<Client, 'smsBatches'>): BulkWork<TextPayload> {
  return {
    isShared: true,
    groupOf: ({ payload }) => payload.from,
    async send(items) {
      let requestId: string | undefined;
      const batch = await api.smsBatches.create(batchOf(items.map(({ payload }) => payload)), {
        onReply: (reply) => {
          requestId = reply.requestId;
        },
      });
      const rejected = new Map<number, Receipt>();
      for (const { index, errorCode, description } of batch.rejected ?? []) {
        // The client requires that each rejection identifies its text.
        const item = items[index ?? Number.NaN];
        if (item)
          rejected.set(item.seq, {
            code: errorCode ?? 'rejected',
            message: description ?? 'the service rejected the text without a reason',
          });
      }
      return { requestId, message: `batch ${batch.id}`, rejected };
    },
    classify: classifyUnsent,
  };
}

/** Sends one text of a list. @throws {KeyUsedError} if the text was sent under the key of `keyOf`. */
export function sendText(
  api: Pick<Client, 'messages'>,
  payload: TextPayload,
  key: ReturnType<typeof keyOf>,
  onReply?: RequestOptions['onReply'],
): Promise<Message> {
  return api.messages.sendSms(bodyOf(payload), { ...key, onReply });
}

/** Returns the body of the request that sends a text of a list. */
export function bodyOf({ from, to, text }: TextPayload): Parameters<Client['messages']['sendSms']>[0] {
  return { from: { phoneNumber: from }, to: [{ phoneNumber: to }], text };
}

/** Returns the request that sends texts of one sender as a batch. */
export function batchOf(texts: readonly TextPayload[]): SmsBatchRequest {
  return {
    from: texts[0]?.from ?? '',
    messages: texts.map(({ to, text }) => ({ to: [to], text })),
  };
}

/**
 * Returns the dedupe key of one text. If the same list is sent again with the same key, only texts that were not sent
 * before are sent. `listKeyOf` of the outcome journal reads the key of the list from it.
 * @param started the start of the run. A run that is resumed after days still finds the texts that another run with the key
 * has sent since.
 */
export function keyOf(
  key: string | undefined,
  payload: TextPayload,
  started: number,
): Pick<RequestOptions, 'dedupeKey' | 'dedupeSince'> {
  if (key === undefined) return {};
  return {
    dedupeKey: `${key}:${contentDigest(payload)}`,
    dedupeSince: started - dedupeKeyMilliseconds,
  };
}

/** Returns the digest of a text and its recipient. Texts with the same digest are identical for the recipient. */
export function contentDigest({ to, text }: Pick<TextPayload, 'to' | 'text'>): string {
  return createHash('sha256')
    .update(JSON.stringify([to, text]))
    .digest('hex')
    .slice(0, 24);
}

/** Returns the item of a run that sends a text. */
export function textItem(payload: TextPayload): NewItem<TextPayload> {
  return { action: 'send', subject: payload.to, payload, digest: contentDigest(payload) };
}
