import type { Client } from '../../client/index.ts';
import {
  announceTime,
  cellPlace,
  isQuickAnswer,
  maySkip,
  noteOpenRuns,
  progressText,
  readBefore,
  skippedLines,
  skippedText,
  runOrigin,
  serviceOf,
  sendDryRun,
  withRunJournal,
  type InvalidRowOptions,
  type Place,
  type RunInput,
  type RunOptions,
} from '../../features/bulk/index.ts';
import {
  availabilityChanges,
  hasNewCallHandling,
  newCallHandlingNote,
  presenceKind,
  presenceSends,
  sameFields,
  updateFor,
  type PresenceRunDetail,
  type QueueSwitch,
  type PresencePayload,
  type PresenceRequest,
  type SkippedPerson,
} from '../../features/presence/index.ts';
import { counted } from '../../platform/counted.ts';
import { safe } from '../../platform/terminal-text.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { usageError } from '../../errors/command.ts';
import { changeAndReport, reportEmpty, resumeCommand } from './change-report.ts';
import { textOfChanges } from './change.rows.ts';
import { changesOfPayload } from './field-changes.ts';
import { requireSamePresences, type PlannedPresence } from './require-same.ts';
import { nameOf, type Person } from './who.ts';

/** The requested presence of one person. */
export interface PersonRequest extends PresenceRequest {
  readonly person: Person;
  /** Row of the input. */
  readonly row: number | undefined;
  readonly place: Place | undefined;
}

/** The requested presences of several people. */
export interface PresenceRequests {
  readonly requests: readonly PersonRequest[];
  /** Rows of the list whose person was not found. */
  readonly skipped: readonly SkippedPerson[];
  readonly input: RunInput;
}

/** Reads every presence, shows the changes, asks for confirmation, and makes the changes as a run. */
export async function setMany(
  ctx: Context,
  api: Client,
  { requests, skipped: notFound, input }: PresenceRequests,
  options: RunOptions & InvalidRowOptions,
): Promise<void> {
  announceTime(ctx, 'Reading presence', { Light: requests.length });
  const { planned, skipped } = await readBefore(ctx, () =>
    ctx.out.progress('Reading presence', (update) => {
      const onRead = (done: number): void =>
        update(progressText({ done, failed: 0, total: requests.length }));
      onRead(0);
      return plan(ctx, api, requests, onRead);
    }),
  );
  const detail: PresenceRunDetail = { input, skipped: [...notFound, ...skipped] };
  requireSwitchable(skipped, requests.length - skipped.length, options);
  if (detail.skipped && detail.skipped.length > 0) {
    ctx.out.show(ctx.out.style('bad', skippedText(detail.skipped)));
  }
  if (planned.length === 0) {
    await noteOpen(ctx, requests);
    return reportEmpty(ctx, detail, requests.length - skipped.length, options);
  }
  ctx.out.preview(
    planned
      .map(({ subject, payload }) => `  ${safe(`${subject}: ${textOfChanges(changesOfPayload(payload))}`)}`)
      .join('\n'),
  );
  const counts = { Medium: planned.length, Light: planned.length };
  announceTime(ctx, 'this', counts, { Light: requests.length });
  await noteOpen(ctx, requests);
  const people = counted(planned.length, 'person', 'people');
  const shownAt = ctx.now();
  await requireConfirmation(ctx, `Change the presence of ${people}?`, 'nothing was changed');
  if (ctx.dryRun) {
    const payloads = planned.map(({ payload }) => payload);
    return sendDryRun(presenceSends(api, payloads), detail.skipped);
  }
  await withRunJournal(ctx, async (journal) => {
    if (!isQuickAnswer(shownAt, ctx.now())) await requireSamePresences(ctx, api, planned, 'before');
    const run = journal.create<PresencePayload>({
      kind: presenceKind,
      title: `change the presence of ${people}`,
      baseUrl: serviceOf(ctx),
      now: ctx.now(),
      detail: { ...detail, ...runOrigin(ctx, options) },
      items: planned,
    });
    await changeAndReport(ctx, api, journal, run, options);
  });
}

function noteOpen(ctx: Context, requests: readonly PersonRequest[]): Promise<void> {
  const kind = { kind: presenceKind, resume: resumeCommand, keyOf: personKey };
  return noteOpenRuns(
    ctx,
    kind,
    requests.map(({ person }) => ({ extensionId: String(person.id) })),
  );
}

function personKey({ extensionId }: Pick<PresencePayload, 'extensionId'>): string {
  return extensionId;
}

/**
 * Throws if a person given as an argument cannot be changed. For a list, --skip-invalid skips the rows of such people.
 */
function requireSwitchable(
  skipped: readonly SkippedPerson[],
  left: number,
  options: RunOptions & InvalidRowOptions,
): void {
  if (skipped.length === 0) return;
  const named = skipped.some(({ row }) => row === undefined);
  if (!named && options.skipInvalid && maySkip(skipped, left, options)) return;
  const details = skippedLines(skipped);
  throw usageError(
    'ucctl cannot turn queue calls on or off for these extensions',
    `to set the status directly, use --dnd-status${named ? '' : ', or skip these rows with --skip-invalid'}; nothing was sent`,
    details,
  );
}

/** An item of the run. */
interface PlannedItem extends PlannedPresence {
  readonly action: string;
}

async function plan(
  ctx: Context,
  api: Client,
  requests: readonly PersonRequest[],
  onRead: (done: number) => void,
): Promise<{ readonly planned: readonly PlannedItem[]; readonly skipped: readonly SkippedPerson[] }> {
  const planned: PlannedItem[] = [];
  const skipped: SkippedPerson[] = [];
  const isNew = await switchesByQueue(ctx, api, requests);
  for (const [at, request] of requests.entries()) {
    const present = await api.presence.get(request.person.id, {}, { signal: ctx.signal });
    onRead(at + 1);
    const who = nameOf(request.person);
    try {
      const byQueue = isNew && request.queueCalls !== undefined;
      const update = updateFor(present, byQueue ? { fields: request.fields } : request);
      const extensionId = String(present.extension?.id ?? request.person.id);
      const queues = byQueue ? await switchesOf(ctx, api, extensionId, request.queueCalls) : [];
      if (Object.keys(update).length + queues.length === 0) continue;
      const fields = { extensionId, update, before: sameFields(present, update), row: request.row };
      const payload = queues.length > 0 ? { ...fields, queues } : fields;
      planned.push({ action: 'set', subject: who, payload });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const place = cellPlace(request.place, 'queueCalls');
      const message = `${who}: ${error.message}`;
      skipped.push({ who, row: request.row, code: 'not_possible', ...(place && { place }), message });
    }
  }
  return { planned, skipped };
}

/** Returns whether queue calls are switched for each queue, and writes a note if a request switches them. */
async function switchesByQueue(
  ctx: Context,
  api: Client,
  requests: readonly PersonRequest[],
): Promise<boolean> {
  if (requests.every(({ queueCalls }) => queueCalls === undefined)) return false;
  const isNew = await hasNewCallHandling(ctx, api);
  if (isNew) ctx.out.note(newCallHandlingNote);
  return isNew;
}

async function switchesOf(
  ctx: Context,
  api: Client,
  extensionId: string,
  queueCalls: 'on' | 'off',
): Promise<readonly QueueSwitch[]> {
  const { queues, total } = await availabilityChanges(api, extensionId, queueCalls, ctx.signal);
  if (total === 0) throw new RangeError('this extension does not take queue calls: it is not in any queue');
  return queues;
}
