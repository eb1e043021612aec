import { readListFile } from '../../features/bulk/index.ts';
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
import type { View } from '../../runtime/output.ts';
import { withInbox } from './with-inbox.ts';

export interface EventsImportOptions {
  readonly file: string;
}

interface Imported {
  readonly added: number;
  readonly known: number;
}

const view: View<Imported> = {
  columns: [
    { key: 'added', title: 'ADDED', kind: 'number', value: (row) => row.added },
    { key: 'known', title: 'KNOWN', kind: 'number', value: (row) => row.known },
  ],
};

interface ImportedEvent {
  readonly received: Received;
  readonly provenance: Provenance;
}

/** Kept in one commit: a listener beside it waits no longer than for these before it acknowledges. */
const atOnce = 1000;

/** `events import FILE|-`: events of an export, or bare notifications, one a line. Nothing is added unless every line can be read. */
export async function importEvents(ctx: Context, { file }: EventsImportOptions): Promise<void> {
  const lines = (await readListFile(ctx, file)).replace(/^\uFEFF/, '').split('\n');
  const events = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [readLine(line, `${file}:${index + 1}`)],
  );
  const work = async (inbox: Inbox): Promise<void> => {
    let added = 0;
    for (let at = 0; at < events.length; at += atOnce) {
      const piece = events.slice(at, at + atOnce);
      const results = await Promise.all(
        piece.map(({ received, provenance }) => inbox.import(received, provenance)),
      );
      added += results.filter((result) => result === 'new').length;
    }
    await ctx.out.record({ added, known: events.length - added }, view);
  };
  await withInbox(ctx, work, { claim: true });
}

/** What the inbox adds to a notification is told apart from it again. */
function readLine(line: string, place: string): ImportedEvent {
  const { id: _id, receivedAt, receiver, origin, recovered, ...event } = readObject(line);
  const { sealed } = event;
  const received = readNotification(
    typeof sealed === 'string' ? JSON.stringify(sealed) : stringifyJson(event),
  );
  if (!received) throw usageError(`${place}: no event`, 'one event a line, as events export writes them');
  return { received, provenance: readProvenance({ receivedAt, receiver, origin, recovered }, place) };
}

function readObject(line: string): Readonly<Record<string, unknown>> {
  try {
    return { ...(parseJson(line) as Readonly<Record<string, unknown>> | null) };
  } catch {
    return {};
  }
}

/** Each member may be missing: a notification that was written down elsewhere has none of them. */
function readProvenance(line: Readonly<Record<string, unknown>>, place: string): Provenance {
  const {
    receivedAt,
    receiver = importReceiver,
    origin = line['recovered'] === true ? 'recovered' : 'import',
  } = line;
  const time = typeof receivedAt === 'string' ? Date.parse(receivedAt) : Number.NaN;
  if (receivedAt !== undefined && Number.isNaN(time)) throw usageError(`${place}: receivedAt is no time`);
  if (typeof receiver !== 'string' || receiver === '') throw usageError(`${place}: receiver is no name`);
  const known = origins.find((one) => one === origin);
  if (!known) throw usageError(`${place}: origin is none of ${origins.join(', ')}`);
  return { receiver, origin: known, receivedAt: receivedAt === undefined ? undefined : time };
}
