import type { Client } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';

/** What the mailbox of one extension told. Times are milliseconds since 1970 by the service's clock. */
export interface Lookup {
  /** Messages that were sent since `since`, oldest first, with those that were deleted or purged. */
  readonly messages: readonly Message[];
  readonly since: number;
  /** How far the service's clock is ahead of this machine's; undefined when the service did not say. */
  readonly skew: number | undefined;
}

/** Clocks may have been set since the request went out: so much earlier is looked as well. */
const lookBehindMilliseconds = 86_400_000;
/** The Date header has whole seconds: on average it is half a second old. */
const halfSecond = 500;

/** Reads what `extension` sent since a day before `started`, and the clock of the service with it. */
export async function lookUp(
  api: Client,
  extension: string,
  started: number,
  now: () => number,
  signal: AbortSignal | undefined,
): Promise<Lookup> {
  const since = started - lookBehindMilliseconds;
  const filter = {
    direction: ['Outbound' as const],
    dateFrom: new Date(since).toISOString(),
    // A message that was deleted since was sent all the same.
    availability: ['Alive' as const, 'Deleted' as const, 'Purged' as const],
  };
  let skew: number | undefined;
  const onReply = ({ date }: { readonly date: string | undefined }): void => {
    const served = date === undefined ? Number.NaN : Date.parse(date);
    if (!Number.isNaN(served)) skew = served + halfSecond - now();
  };
  const messages: Message[] = [];
  for await (const message of api.messages.list(extension, filter, { signal, onReply }))
    messages.push(message);
  return {
    messages: messages.toSorted((a, b) => Date.parse(a.creationTime) - Date.parse(b.creationTime)),
    since,
    skew,
  };
}
