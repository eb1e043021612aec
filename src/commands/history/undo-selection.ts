import type { Extension } from '../../contract/extension.ts';
import type { Journal, JournalItem, RunDetail, RunSummary } from '../../features/bulk/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import type { Client } from '../../client/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError, notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl, type CommandText } from '../../errors/hint.ts';
import { titleOf } from '../../runtime/with-number.ts';
import { targetOf, type Owner } from './change-target.ts';

/** The options that select a part of a run. */
export interface SelectionOptions {
  readonly extension?: readonly string[];
  readonly queue?: readonly string[];
}

/** The extensions and queues whose changes are undone. An empty list selects all. */
export interface UndoSelection {
  readonly extensions: readonly Extension[];
  readonly queues: readonly Extension[];
}

/** The changes of a run that an undo is about. */
export interface SelectedChanges {
  /** The changes of the run, without those that an earlier undo of a part has undone. */
  readonly items: readonly JournalItem<unknown>[];
  /** Whether the undo includes a change. */
  readonly isSelected: (item: JournalItem<unknown>) => boolean;
  /** Whether the undo skips changes of the run. */
  readonly isPart: boolean;
}

/** Finds the extensions and queues of the options. @throws {CommandError} for a name that is not found or ambiguous. */
export async function readSelection(
  ctx: Context,
  api: Client,
  { extension = [], queue = [] }: SelectionOptions,
): Promise<UndoSelection> {
  const directory = openDirectory(api, ctx.signal);
  const found = async (lookup: ReturnType<typeof directory.queue>): Promise<Extension> => {
    const result = await lookup;
    if (!result.found) throw lookupError(result);
    return result.found;
  };
  return {
    extensions: await Promise.all(extension.map((name) => found(directory.extension(name)))),
    queues: await Promise.all(queue.map((name) => found(directory.queue(name)))),
  };
}

/** Whether the options select only a part of a run. */
export function isSelective({ extensions, queues }: UndoSelection): boolean {
  return extensions.length + queues.length > 0;
}

/** Returns the changes of a run that are still to be undone, and which of them are selected. */
export function selectChanges(
  journal: Journal,
  run: Pick<RunSummary, 'id' | 'kind'>,
  selection: UndoSelection,
): SelectedChanges {
  const undone = undoneKeys(journal, run);
  const isSelected = (item: JournalItem<unknown>): boolean => includes(selection, run.kind, item);
  const items = journal.items(run.id).filter((item) => {
    const target = targetOf(run.kind, item);
    return target === undefined || !undone.has(target.key);
  });
  return { items, isSelected, isPart: !items.every(isSelected) };
}

/**
 * Rejects a name of the options that no change of the runs is about, because it may be a mistake.
 * @throws {CommandError} `not_found` (exit 3)
 */
export function requireSelected(
  journal: Journal,
  runs: readonly RunSummary[],
  { extensions, queues }: UndoSelection,
): void {
  const targets = runs.flatMap(({ id, kind }) => journal.items(id).map((item) => targetOf(kind, item)));
  const missing = [
    ...extensions.filter((one) => !targets.some((target) => isOne([one], target?.extension))),
    ...queues.filter((one) => !targets.some((target) => isOne([one], target?.queue))),
  ];
  const [run] = runs;
  if (missing.length === 0 || !run) return;
  throw notFoundError(
    `run ${run.id} has no changes of ${missing.map(titleOf).join(', ')}`,
    nextStep`show the changes of the run: ${ucctl`history show ${run.id}`}`,
  );
}

/** Returns the command that undoes the same part of a run. */
export function undoCommand(run: string, { extension = [], queue = [] }: SelectionOptions): CommandText {
  const command = ucctl`history undo ${run}`;
  const inExtensions = extension.length > 0 ? ucctl`${command} --extension ${extension.join(',')}` : command;
  return queue.length > 0 ? ucctl`${inExtensions} --queue ${queue.join(',')}` : inExtensions;
}

function includes({ extensions, queues }: UndoSelection, kind: string, item: JournalItem<unknown>): boolean {
  const target = targetOf(kind, item);
  return (
    (extensions.length === 0 || isOne(extensions, target?.extension)) &&
    (queues.length === 0 || isOne(queues, target?.queue))
  );
}

function isOne(chosen: readonly Extension[], owner: Owner | undefined): boolean {
  return chosen.some(({ id, extensionNumber }) => owner?.id === String(id) || owner?.id === extensionNumber);
}

/** Returns the keys of the changes of a run that other runs have undone, and that no later run has made again. */
function undoneKeys(journal: Journal, { id, kind }: Pick<RunSummary, 'id' | 'kind'>): ReadonlySet<string> {
  const undone = new Set<string>();
  for (const undo of journal.undosOf(id)) {
    if (undo.state === 'undone') continue;
    const madeAgain = undoneKeys(journal, undo);
    const keys = { made: new Set<string>(), others: new Set<string>() };
    for (const item of journal.items(undo.id)) {
      const target = targetOf(kind, item);
      if (target) keys[item.status === 'ok' ? 'made' : 'others'].add(target.key);
    }
    for (const key of keys.made) if (!keys.others.has(key) && !madeAgain.has(key)) undone.add(key);
  }
  return undone;
}

/** Whether a run undoes only a part of another run. */
export function undoesPart(journal: Journal, run: string): boolean {
  return (journal.detail(run) as RunDetail).undoesPart === true;
}
