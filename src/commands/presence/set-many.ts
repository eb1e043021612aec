import type { Client } from '../../client/index.ts';
import {
  announceTime,
  cellPlace,
  mayLeaveOut,
  noteOpenRuns,
  progressText,
  refusedLines,
  refusedText,
  runOrigin,
  serviceOf,
  withholdAll,
  withRunJournal,
  type Place,
  type RunInput,
  type RunOptions,
} from '../../features/bulk/index.ts';
import {
  presenceKind,
  presenceSends,
  sameFields,
  updateFor,
  type PresenceDetail,
  type PresencePayload,
  type PresenceWish,
  type RefusedPerson,
} from '../../features/presence/index.ts';
import { counted } from '../../platform/counted.ts';
import { safe } from '../../platform/terminal-text.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { changeAndReport, reportIdle, resumeCommand } from './change-report.ts';
import { textOfChanges } from './change.rows.ts';
import { changesOf } from './field-changes.ts';
import { nameOf, type Person } from './who.ts';

/** What is wished of one person. */
export interface WishFor extends PresenceWish {
  readonly person: Person;
  /** Row of the input. */
  readonly row: number | undefined;
  readonly place: Place | undefined;
}

/** What is wished of several people. */
export interface Wishes {
  readonly wishes: readonly WishFor[];
  /** Rows of the list that name nobody. */
  readonly refused: readonly RefusedPerson[];
  readonly input: RunInput;
}

/** Reads every presence, shows what will change, asks, and carries it out as a run. */
export async function setMany(
  ctx: Context,
  api: Client,
  { wishes, refused: unfound, input }: Wishes,
  options: RunOptions,
): Promise<void> {
  announceTime(ctx, 'reading their presence', { Light: wishes.length });
  const { planned, refused } = await ctx.out.progress('reading presence', (update) => {
    const tell = (done: number): void => update(progressText({ done, failed: 0, total: wishes.length }));
    tell(0);
    return plan(ctx, api, wishes, tell);
  });
  const detail: PresenceDetail = { input, refused: [...unfound, ...refused] };
  requireSwitchable(refused, wishes.length - refused.length, options);
  if (detail.refused && detail.refused.length > 0) {
    ctx.out.show(ctx.out.style('bad', refusedText(detail.refused)));
  }
  if (planned.length === 0) {
    await noteOpen(ctx, wishes);
    return reportIdle(ctx, detail, wishes.length - refused.length, options);
  }
  ctx.out.preview(
    planned
      .map(({ subject, payload: { update, before } }) => {
        return `  ${safe(`${subject}: ${textOfChanges(changesOf(update, before))}`)}`;
      })
      .join('\n'),
  );
  const counts = { Medium: planned.length, Light: planned.length };
  announceTime(ctx, 'this', counts, { Light: wishes.length });
  await noteOpen(ctx, wishes);
  const people = counted(planned.length, 'person', 'people');
  if (!ctx.dryRun && !(await ctx.prompt.confirm(`Change the presence of ${people}?`))) {
    throw new CommandError('declined', Exit.refused, 'not confirmed; nothing was changed');
  }
  if (ctx.dryRun) {
    const payloads = planned.map(({ payload }) => payload);
    return withholdAll(presenceSends(api, payloads), detail.refused);
  }
  await withRunJournal(ctx, async (journal) => {
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

function noteOpen(ctx: Context, wishes: readonly WishFor[]): Promise<void> {
  const kind = { kind: presenceKind, resume: resumeCommand, keyOf: personKey };
  return noteOpenRuns(
    ctx,
    kind,
    wishes.map(({ person }) => ({ extensionId: String(person.id) })),
  );
}

function personKey({ extensionId }: Pick<PresencePayload, 'extensionId'>): string {
  return extensionId;
}

/** Who names people means all of them; of a list the rest is done. */
function requireSwitchable(refused: readonly RefusedPerson[], left: number, options: RunOptions): void {
  const named = refused.some(({ row }) => row === undefined);
  if (!named && mayLeaveOut(refused, left, options)) return;
  const details = refusedLines(refused);
  throw usageError(
    'queue calls cannot be switched',
    'set it directly: --dnd-status; nothing was sent',
    details,
  );
}

interface PlannedPresence {
  readonly action: string;
  readonly subject: string;
  readonly payload: PresencePayload;
}

async function plan(
  ctx: Context,
  api: Client,
  wishes: readonly WishFor[],
  onRead: (done: number) => void,
): Promise<{ readonly planned: readonly PlannedPresence[]; readonly refused: readonly RefusedPerson[] }> {
  const planned: PlannedPresence[] = [];
  const refused: RefusedPerson[] = [];
  for (const [at, wish] of wishes.entries()) {
    const present = await api.presence.get(wish.person.id, {}, { signal: ctx.signal });
    onRead(at + 1);
    const who = nameOf(wish.person);
    try {
      const update = updateFor(present, wish);
      if (Object.keys(update).length === 0) continue;
      const extensionId = String(present.extension.id);
      const payload = { extensionId, update, before: sameFields(present, update), row: wish.row };
      planned.push({ action: 'set', subject: who, payload });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const place = cellPlace(wish.place, 'queueCalls');
      const message = `${who}: ${error.message}`;
      refused.push({ who, row: wish.row, code: 'not_possible', ...(place && { place }), message });
    }
  }
  return { planned, refused };
}
