import { hasMailbox, openDirectory } from '../../features/directory/index.ts';
import {
  enroll,
  shortestInterval,
  subjectsNamed,
  unenroll,
  type NewTask,
  type TaskKind,
} from '../../features/fleet/index.ts';
import { changePolicy, confirmRemoval, defaultPolicy } from '../../features/mirror/index.ts';
import { openStoreArchive, requireArchiveAccount } from '../../features/mirror/postgres/index.ts';
import type { OnDelete } from '../../store/reply.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { Context } from '../../runtime/context.ts';
import type { RowOf } from '../../runtime/rows.ts';
import { lookupError } from '../../errors/command.ts';
import { enrollPurge } from './enroll-purge.ts';
import { enrolledRows } from './fleet.rows.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

export interface EnrollOptions {
  readonly extension: readonly string[];
  readonly tasks: readonly TaskKind[];
  readonly every: number;
  /** Undefined: existing tasks keep their policy, and new tasks have that of the archive. */
  readonly onDelete?: OnDelete;
  readonly remove?: boolean;
}

interface Box {
  readonly extensionId: string;
  readonly extensionNumber: string | undefined;
  readonly name: string | undefined;
}

/** `fleet enroll`: creates, changes or removes tasks. */
export async function enrollTasks(ctx: Context, options: EnrollOptions): Promise<void> {
  const db = await ctx.store();
  const kinds: readonly TaskKind[] = options.tasks.length > 0 ? [...new Set(options.tasks)] : ['messages'];
  const rows = options.remove
    ? await removeTasks(ctx, db, kinds, options)
    : await addTasks(ctx, db, kinds, options);
  await ctx.out.list(rows, enrolledRows.list);
  if (!options.remove && kinds.includes('media') && ctx.settings.mediaStore.value === undefined)
    ctx.out.warn(
      nextStep`each machine stores attachments in its own folder; to use storage that all machines share: ${ucctl('config set media-store s3://BUCKET')}`,
    );
}

type EnrolledRow = RowOf<typeof enrolledRows>;

async function addTasks(
  ctx: Context,
  db: Postgres,
  kinds: readonly TaskKind[],
  { extension, every: everySeconds, onDelete }: EnrollOptions,
): Promise<readonly EnrolledRow[]> {
  await requireArchiveAccount(ctx, await ctx.api());
  const boxes = await boxesOf(ctx, extension);
  const { messages } = await openStoreArchive(ctx, 'change');
  if (onDelete === 'purge' && kinds.includes('messages')) {
    await requireTaskPolicies(db);
    await confirmRemoval(
      ctx,
      messages,
      boxes.map(({ extensionId }) => extensionId),
    );
  }
  const settings = {
    everySeconds,
    onDelete: onDelete ?? (await defaultPolicy(ctx, messages, enrollPurge)),
    keepsPolicy: onDelete === undefined,
  };
  await messages.saveMailboxes(boxes.map((box) => ({ ...box, own: false })));
  const rows: EnrolledRow[] = [];
  for (const task of kinds) {
    const tasks = tasksOf(task, boxes);
    const added = await enroll(db, tasks, settings);
    rows.push({ task, added, updated: tasks.length - added, removed: 0, everySeconds });
  }
  // The tasks have the policy now, so only the policies of other tasks are reported as replaced.
  if (onDelete !== undefined && onDelete !== 'purge') await changePolicy(ctx, messages, onDelete);
  const tasks = kinds.flatMap((kind) => tasksOf(kind, boxes));
  warnAboutInterval(ctx, everySeconds, await shortestInterval(db, await ctx.fleetSession(), tasks));
  return rows;
}

/** Rejects a store whose migration would replace the policy of a task with that of the archive. @throws {CommandError} `store_older` */
async function requireTaskPolicies(db: Postgres): Promise<void> {
  const { requireStep, taskPolicyMigration } = await import('../../store/index.ts');
  await requireStep(db, taskPolicyMigration, '--on-delete purge');
}

/** Warns if the rate limits do not allow the tasks at their interval, so that they would always be late. */
function warnAboutInterval({ out }: Context, every: number, shortest: number | undefined): void {
  if (shortest === undefined || every >= shortest) return;
  const add = nextStep`add a sign-in: ${ucctl('fleet session add')}`;
  const limits = 'the known rate limits of the sign-ins';
  out.warn(
    Number.isFinite(shortest)
      ? nextStep`${limits} allow these tasks only every ${durationText(shortest)}; enroll again with a longer --every, or ${add}`
      : nextStep`${limits} do not allow more tasks, because of the other tasks; enroll those with a longer --every, or ${add}`,
  );
}

/** Returns a duration as the user writes it: `90s` or, for whole minutes, `2m`. */
function durationText(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

async function removeTasks(
  ctx: Context,
  db: Postgres,
  kinds: readonly TaskKind[],
  { extension, every: everySeconds }: EnrollOptions,
): Promise<readonly EnrolledRow[]> {
  const subjects = extension.includes('all') ? undefined : await enrolledSubjects(ctx, db, extension);
  const rows: EnrolledRow[] = [];
  for (const task of kinds) {
    const removed = await unenroll(db, [task], task === 'calls' ? undefined : subjects);
    rows.push({ task, added: 0, updated: 0, removed, everySeconds });
  }
  return rows;
}

/** Returns the subjects of mailboxes. A mailbox that the service no longer has is found by its tasks. */
async function enrolledSubjects(
  ctx: Context,
  db: Postgres,
  names: readonly string[],
): Promise<readonly string[]> {
  const directory = openDirectory(await ctx.api(), ctx.signal);
  const subjects: string[] = [];
  for (const name of names) {
    const lookup = await directory.extension(name);
    const found = lookup.found ? [String(lookup.found.id)] : await subjectsNamed(db, name);
    if (!lookup.found && found.length === 0) throw lookupError(lookup);
    subjects.push(...found);
  }
  return subjects;
}

/** Returns a task for each mailbox; the call log is one task for the account. */
function tasksOf(kind: TaskKind, boxes: readonly Box[]): readonly NewTask[] {
  if (kind === 'calls') return [{ kind, subject: 'account', label: 'account' }];
  return boxes.map(({ extensionId, extensionNumber, name }) => ({
    kind,
    subject: extensionId,
    label: extensionNumber ?? name ?? extensionId,
  }));
}

async function boxesOf(ctx: Context, names: readonly string[]): Promise<readonly Box[]> {
  const directory = openDirectory(await ctx.api(), ctx.signal);
  if (names.includes('all')) return (await directory.all()).filter(hasMailbox).map(boxOf);
  const boxes = new Map<string, Box>();
  for (const name of names) {
    const lookup = await directory.extension(name);
    if (!lookup.found) throw lookupError(lookup);
    const box = boxOf(lookup.found);
    boxes.set(box.extensionId, box);
  }
  return [...boxes.values()];
}

function boxOf(extension: {
  readonly id: number | string;
  readonly extensionNumber?: string | undefined;
  readonly name?: string | undefined;
}): Box {
  const { id, extensionNumber, name } = extension;
  return { extensionId: String(id), extensionNumber, name };
}
