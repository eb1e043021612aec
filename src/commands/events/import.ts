import { readListText } from '../../features/bulk/index.ts';
import {
  importReceiver,
  origins,
  readNotification,
  type Inbox,
  type Provenance,
  type Received,
} from '../../features/live/index.ts';
import { parseJson, stringifyJson } from '../../platform/json.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { importRows } from './import.rows.ts';
import { withInbox } from './with-inbox.ts';

export interface EventsImportOptions {
  readonly file: string;
}

interface ImportedEvent {
  readonly received: Received;
  readonly provenance: Provenance;
}

/**
 * Number of events in one commit. A listener that runs at the same time waits for at most one commit before it
 * acknowledges an event.
 */
const batchSize = 1000;

/**
 * `events import FILE|-`: imports exported events or plain notifications, one per line. Nothing is imported
 * unless every line is valid.
 */
export async function importEvents(ctx: Context, { file }: EventsImportOptions): Promise<void> {
  const lines = (await readListText(ctx, file)).replace(/^\uFEFF/, '').split('\n');
  const events = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [readLine(line, `${file}:${index + 1}`)],
  );
  const work = async (inbox: Inbox): Promise<void> => {
    let added = 0;
    for (let at = 0; at < events.length; at += batchSize) {
      const piece = events.slice(at, at + batchSize);
      const results = await Promise.all(
        piece.map(({ received, provenance }) => inbox.import(received, provenance)),
      );
      added += results.filter((result) => result === 'new').length;
    }
    await ctx.out.record({ added, skipped: events.length - added }, importRows.record);
  };
  await withInbox(ctx, { claim: true }, work);
}

/** Separates the notification from the members that `events export` adds to it. */
function readLine(line: string, place: string): ImportedEvent {
  const { id: _id, receivedAt, receiver, origin, recovered, ...event } = readObject(line);
  // Exports of earlier versions call the member `sealed`.
  const encryptedBody = event['encryptedBody'] ?? event['sealed'];
  const received = readNotification(
    typeof encryptedBody === 'string' ? JSON.stringify(encryptedBody) : stringifyJson(event),
  );
  if (!received)
    throw usageError(
      `${place} is not a valid event`,
      nextStep`the file must contain one event per line, as written by ${ucctl('events export')}`,
    );
  return { received, provenance: readProvenance({ receivedAt, receiver, origin, recovered }, place) };
}

function readObject(line: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(parseJson(line) as Readonly<Record<string, unknown>> | null) };
  } catch {
    return {};
  }
}

/**
 * Reads the time, receiver and origin of an event. A notification that another program recorded has none of these
 * members.
 */
function readProvenance(line: Readonly<Record<string, unknown>>, place: string): Provenance {
  const {
    receivedAt,
    receiver = importReceiver,
    origin = line['recovered'] === true ? 'recovered' : 'import',
  } = line;
  const time = typeof receivedAt === 'string' ? Date.parse(receivedAt) : Number.NaN;
  if (receivedAt !== undefined && Number.isNaN(time))
    throw usageError(
      `${place}: receivedAt ${JSON.stringify(receivedAt)} is not a valid time`,
      'use ISO 8601, such as 2026-01-06T02:00:00Z; nothing was imported',
    );
  if (typeof receiver !== 'string' || receiver === '')
    throw usageError(
      `${place}: receiver ${JSON.stringify(receiver)} is not a valid name`,
      'use a non-empty name; nothing was imported',
    );
  const known = origins.find((one) => one === origin);
  if (!known)
    throw usageError(
      `${place}: origin ${JSON.stringify(origin)} is not a valid origin`,
      `use one of ${origins.join(', ')}; nothing was imported`,
    );
  return { receiver, origin: known, receivedAt: receivedAt === undefined ? undefined : time };
}
