import type { SmsBatch, SmsBatchMessage, SmsBatchRequest } from '../../contract/sms-batch.ts';
import { isJsonObject } from '../../platform/json.ts';
import { digits, key, list, number, object, optional, record, text, time, type ReplyShape } from './shape.ts';

/** A batch of high-volume texts. */
export const smsBatchShape = record<SmsBatch>(
  {
    id: key,
    from: text,
    batchSize: number,
    processedCount: number,
    lastModifiedTime: time,
    status: text,
    creationTime: time,
    rejected: optional(
      list(
        object<NonNullable<SmsBatch['rejected']>[number]>({
          index: number,
          to: optional(list(text)),
          errorCode: text,
          description: text,
        }),
      ),
    ),
    cost: number,
  },
  ['id'],
);

/**
 * Returns the receipt of a batch. Each rejection must identify its text, by the position or by a number that only one
 * text has: otherwise a rejected text would count as sent.
 */
export function smsBatchReceipt({ messages }: SmsBatchRequest): ReplyShape {
  const receivers = messages.map(({ to }) => numberKey(to));
  return {
    ...smsBatchShape,
    problem(value) {
      const problem = smsBatchShape.problem(value);
      const rejected = isJsonObject(value) ? (value['rejected'] ?? []) : [];
      if (problem !== undefined) return problem;
      const isKnown =
        Array.isArray(rejected) && rejected.every((one) => positionOf(one, receivers) !== undefined);
      return isKnown ? undefined : 'a batch that rejects a text which was not in the request';
    },
    correct(value) {
      smsBatchShape.correct(value);
      const { rejected = [] } = value as SmsBatch;
      for (const one of rejected) one.index = positionOf(one, receivers);
    },
  };
}

/** Returns the position of a rejected text in the request; undefined if the result cannot be determined. */
function positionOf(rejection: unknown, receivers: readonly string[]): number | undefined {
  if (!isJsonObject(rejection)) return undefined;
  const { index, to } = rejection;
  const own = to === undefined || to === null ? undefined : numberKey([to].flat());
  const at = number.read(index);
  if (at === undefined) return own === undefined ? undefined : onlyPosition(own, receivers);
  const receiver = receivers[at];
  if (receiver === undefined) return undefined;
  // A position that is counted from one would name another text.
  return own === undefined || isSameNumber(own, receiver) ? at : undefined;
}

function onlyPosition(own: string, receivers: readonly string[]): number | undefined {
  const found = receivers.flatMap((receiver, at) => (isSameNumber(own, receiver) ? [at] : []));
  return found.length === 1 ? found[0] : undefined;
}

/** Whether two numbers are equal, or one of them lacks the country code. */
function isSameNumber(one: string, other: string): boolean {
  return one !== '' && other !== '' && (one.endsWith(other) || other.endsWith(one));
}

/** Returns the digits of the numbers of a text. */
function numberKey(to: readonly unknown[]): string {
  return to.map((one) => String(one).replaceAll(/\D/g, '')).join(',');
}

/** A text of a batch. */
export const smsBatchMessageShape = record<SmsBatchMessage>(
  {
    id: digits,
    batchId: text,
    from: text,
    to: optional(list(text)),
    creationTime: time,
    lastModifiedTime: time,
    messageStatus: text,
    segmentCount: number,
    text,
    cost: number,
    direction: text,
    errorCode: text,
  },
  ['id'],
);
