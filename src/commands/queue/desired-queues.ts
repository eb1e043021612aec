import type { Extension } from '../../contract/extension.ts';
import { cellPlace, type ListProblem } from '../../features/bulk/index.ts';
import type { Directory } from '../../features/directory/index.ts';
import { newQueueKey } from '../../features/queue-settings/index.ts';
import type { DesiredResource, FileResource } from '../../features/resource-plan/index.ts';
import type { FailedLookup } from '../../runtime/lookup.ts';
import { titleOf } from '../../runtime/with-number.ts';

/** The queues of a file with settings. */
export interface DesiredQueues {
  readonly desired: readonly DesiredResource[];
  readonly problems: readonly ListProblem[];
  /** IDs or temporary IDs of queues that the file names by a name that the service does not have. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** A queue of a file, or the reason why it is invalid. */
type Found = DesiredResource | { readonly text: string; readonly column: string };

/** Looks up the queues of a file. Finds all problems. */
export async function desiredQueues(
  directory: Directory,
  resources: readonly FileResource[],
): Promise<DesiredQueues> {
  const desired = new Map<string, DesiredResource>();
  const newNames = new Map<string, DesiredResource>();
  const problems: ListProblem[] = [];
  const aliases = new Map<string, string>();
  for (const resource of resources) {
    const found = await desiredOf(directory, resource);
    const place = (column: string): ListProblem['place'] => cellPlace(resource.place, column);
    if ('text' in found) {
      problems.push({ place: place(found.column), text: found.text });
      continue;
    }
    const { id, key, title, values } = found;
    if (desired.has(key)) problems.push({ place: place('queue'), text: `${title} is listed twice` });
    if (id === null) {
      const name = foldName(values['name']);
      const other = newNames.get(name);
      if (other && other.key !== key)
        problems.push({ place: place('name'), text: `${other.title} and ${title} have the same name` });
      newNames.set(name, found);
    }
    desired.set(key, found);
    aliases.set(resource.name, key);
  }
  const all = [...desired.values()];
  return { desired: all, problems, aliases };
}

/**
 * Returns a queue of the file: an existing queue, or a queue that `create: true` creates. A created queue is enabled,
 * unless the file says otherwise.
 */
async function desiredOf(directory: Directory, resource: FileResource): Promise<Found> {
  const { name, values, flags } = resource;
  const creates = flags.has('create');
  const lookup = await directory.queue(name);
  const queue = lookup.found ?? (await queueOfSettings(directory, resource));
  if (queue) {
    const id = String(queue.id);
    const { extensionNumber: number } = queue;
    const wanted = creates ? { status: 'Enabled', ...values } : values;
    return { id, key: id, title: titleOf(queue), number, values: wanted };
  }
  if (lookup.found || lookup.kind === 'ambiguous' || !creates)
    return { column: 'queue', text: await missingText(directory, lookup as FailedLookup, resource) };
  return newQueue(directory, resource);
}

/** Returns the existing queue that the number and the name in the settings describe, such as a renamed queue. */
async function queueOfSettings(
  directory: Directory,
  { values, flags }: FileResource,
): Promise<Extension | undefined> {
  const byNumber = await queueOf(directory, values['number']);
  const byName = await queueOf(directory, values['name']);
  // A new queue may not replace the name or the number of another queue.
  if (flags.has('create')) return byNumber && byNumber === byName ? byNumber : undefined;
  return byNumber && byName && byNumber !== byName ? undefined : (byNumber ?? byName);
}

async function queueOf(directory: Directory, text: unknown): Promise<Extension | undefined> {
  return typeof text === 'string' ? (await directory.queue(text)).found : undefined;
}

/** Describes a queue that was not found; to create it is advised only if no queue has its name or number. */
async function missingText(
  directory: Directory,
  { kind, message }: FailedLookup,
  { values }: FileResource,
): Promise<string> {
  if (kind === 'ambiguous') return message;
  const others = [await queueOf(directory, values['number']), await queueOf(directory, values['name'])];
  const [byNumber, byName] = others;
  if (byNumber && byName)
    return `${message}; its settings have the number of ${titleOf(byNumber)} and the name of ${titleOf(byName)}`;
  return `${message}; to create it, add "create: true" with a name and a number`;
}

async function newQueue(directory: Directory, { values }: FileResource): Promise<Found> {
  const { name, number } = values;
  if (typeof name !== 'string' || typeof number !== 'string')
    return { column: 'queue', text: `a new queue needs "settings:" with "name:" and "number:"` };
  const taken = (await directory.all()).find(({ extensionNumber }) => extensionNumber === number);
  if (taken) return { column: 'queue', text: `extension ${number} already exists: ${titleOf(taken)}` };
  const named = await queueOf(directory, name);
  if (named)
    return { column: 'queue', text: `a queue with the name "${name}" already exists: ${titleOf(named)}` };
  return { id: null, key: newQueueKey(number), title: `${name} (${number})`, number, values };
}

function foldName(value: unknown): string {
  return typeof value === 'string' ? value.trim().toLowerCase() : '';
}
