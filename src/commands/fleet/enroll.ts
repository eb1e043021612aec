import { hasMailbox, openDirectory } from '../../features/directory/index.ts';
import { enroll, openFleet, unenroll, type NewTask, type TaskKind } from '../../features/fleet/index.ts';
import { openStoreArchive } from '../../features/mirror/postgres/index.ts';
import type { OnDelete } from '../../store/reply.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError } from '../../errors/command.ts';
import { enrolledRows } from './fleet.rows.ts';

export interface EnrollOptions {
  readonly extension: readonly string[];
  readonly tasks: readonly TaskKind[];
  readonly every: number;
  readonly onDelete: OnDelete;
  readonly remove?: boolean;
}

interface Box {
  readonly extensionId: string;
  readonly extensionNumber: string | undefined;
  readonly name: string | undefined;
}

/** `fleet enroll`: creates, changes or removes tasks. */
export async function enrollTasks(ctx: Context, options: EnrollOptions): Promise<void> {
  const db = await openFleet(ctx);
  const boxes = await boxesOf(ctx, options.extension);
  const kinds: readonly TaskKind[] = options.tasks.length > 0 ? [...new Set(options.tasks)] : ['messages'];
  const { every: everySeconds, onDelete, remove = false } = options;
  if (!remove) {
    const { messages } = await openStoreArchive(ctx, 'change');
    await messages.saveMailboxes(boxes.map((box) => ({ ...box, own: false })));
  }
  const rows = [];
  for (const task of kinds) {
    const tasks = tasksOf(task, boxes);
    const subjects = tasks.map(({ subject }) => subject);
    const removed = remove ? await unenroll(db, [task], subjects) : 0;
    const added = remove ? 0 : await enroll(db, tasks, { everySeconds, onDelete });
    rows.push({ task, added, updated: remove ? 0 : tasks.length - added, removed, everySeconds });
  }
  await ctx.out.list(rows, enrolledRows.list);
  if (!remove && kinds.includes('media') && ctx.settings.mediaStore?.value === undefined)
    ctx.out.warn(
      'each machine stores attachments in its own folder; to use storage that all machines share: ucctl config set media-store s3://BUCKET',
    );
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
