import { assignmentKind, changeKey, type AssignmentPayload } from '../../features/assignment/index.ts';
import type { JournalItem } from '../../features/bulk/index.ts';
import { hoursRunKind } from '../../features/hours/index.ts';
import { presenceKind, type PresencePayload } from '../../features/presence/index.ts';
import { queueSettingsKind } from '../../features/queue-settings/index.ts';
import type { ResourceChange } from '../../features/resource-plan/index.ts';
import { changeRows } from './change.rows.ts';

/** An extension that a change is about. */
export interface Owner {
  readonly id: string;
  /** Extension number; undefined if the journal does not contain it. */
  readonly number: string | undefined;
}

/** The objects that a change of a run is about. */
export interface ChangeTarget {
  /** Equal for a change of a run and the change that undoes it. */
  readonly key: string;
  readonly extension?: Owner;
  readonly queue?: Owner;
}

/** Returns the objects that a change is about; undefined for a run that cannot be undone, such as a list of texts. */
export function targetOf(kind: string, { payload, subject }: JournalItem<unknown>): ChangeTarget | undefined {
  if (kind === assignmentKind) {
    const { queue, agent } = payload as AssignmentPayload;
    return { key: changeKey({ queue, agent }), extension: ownerOf(agent), queue: ownerOf(queue) };
  }
  if (kind === presenceKind) {
    const { extensionId } = payload as PresencePayload;
    return { key: extensionId, extension: { id: extensionId, number: numberIn(subject) } };
  }
  const { key, title } = payload as Partial<ResourceChange>;
  if (key === undefined || title === undefined) return undefined;
  // The key of a rule begins with its extension, and the key of a new queue is its number.
  const [id = key] = key.split('/');
  const owner = { id, number: numberIn(title) };
  if (kind === queueSettingsKind) return { key, queue: owner };
  return kind === hoursRunKind ? { key, extension: owner, queue: owner } : { key, extension: owner };
}

/** Returns the row of a change. */
export function changeRow(kind: string, item: JournalItem<unknown>): ReturnType<typeof changeRows.row> {
  const { queue, extension } = targetOf(kind, item) ?? {};
  // The hours of an extension are not hours of a queue only because the extension may be a queue.
  const shownQueue = kind === hoursRunKind ? undefined : queue;
  return changeRows.row(
    {
      queue: shownQueue && (shownQueue.number ?? shownQueue.id),
      extension: extension && (extension.number ?? extension.id),
    },
    item,
  );
}

function ownerOf({ id, extensionNumber }: AssignmentPayload['agent']): Owner {
  return { id: String(id), number: extensionNumber };
}

/** Returns the extension number at the end of a title such as `Dana Okafor (102)`. */
function numberIn(title: string): string | undefined {
  return /\((\d+)\)$/.exec(title)?.[1];
}
