import { dayMilliseconds } from '../../platform/day.ts';
import type { Client, ReplyFacts } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import { readDateHeader } from '../../platform/date-header.ts';

/** The sent messages of one extension. Times are milliseconds since 1970 by the clock of the service. */
export interface Lookup {
  /**
   * Messages that were sent after `since`, oldest first, including deleted and purged ones. Messages without a time come
   * first.
   */
  readonly messages: readonly Message[];
  readonly since: number;
  /**
   * Milliseconds by which the clock of the service is ahead of this machine; undefined if the service sent no Date
   * header.
   */
  readonly skew: number | undefined;
}

/**
 * Milliseconds before the request at which the search starts, because a clock may have been set since the request was
 * sent.
 */
const lookBehindMilliseconds = dayMilliseconds;
/** The Date header has a resolution of one second: on average it is half a second old. */
const halfSecond = 500;

/** Reads the messages that `extension` has sent since a day before `started`, and the clock of the service. */
export async function lookUp(
  api: Client,
  extension: string,
  started: number,
  signal: AbortSignal | undefined,
): Promise<Lookup> {
  const since = started - lookBehindMilliseconds;
  const filter = {
    direction: ['Outbound' as const],
    dateFrom: new Date(since).toISOString(),
    // Deleted and purged messages are included, because they were also sent.
    availability: ['Alive' as const, 'Deleted' as const, 'Purged' as const],
  };
  let skew: number | undefined;
  const onReply = ({ date, receivedAt }: ReplyFacts): void => {
    skew = skewOf(date, receivedAt) ?? skew;
  };
  const messages: Message[] = [];
  for await (const message of api.messages.list(extension, filter, { signal, onReply }))
    messages.push(message);
  return {
    messages: messages.toSorted((a, b) => (createdAt(a) || 0) - (createdAt(b) || 0)),
    since,
    skew,
  };
}

/** Time at which the service created a message, in milliseconds since 1970; NaN if the service does not name the time. */
export function createdAt({ creationTime }: Message): number {
  return Date.parse(creationTime ?? '');
}

/**
 * Milliseconds by which a clock with the given Date header is ahead of this machine; undefined without a valid header.
 */
export function skewOf(date: string | undefined, now: number): number | undefined {
  const served = readDateHeader(date);
  return served === undefined ? undefined : served + halfSecond - now;
}
