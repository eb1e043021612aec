import type { DndStatus, UserStatus } from '../../contract/enums.ts';
import {
  cellPlace,
  listError,
  mayLeaveOut,
  readListFile,
  readMap,
  refusedLines,
  type ListProblem,
} from '../../features/bulk/index.ts';
import { lostNames, openDirectory } from '../../features/directory/index.ts';
import {
  givenFields,
  readPresenceList,
  wishProblem,
  type ListedWish,
  type PresenceWish,
  type RefusedPerson,
} from '../../features/presence/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError, notFoundError, usageError, type CommandError } from '../../errors/command.ts';
import type { NameMiss } from '../../runtime/lookup.ts';
import { resumePresence } from './change-report.ts';
import { setOne } from './set-one.ts';
import { findListed, type FoundWishes } from './find-listed.ts';
import { setMany, type WishFor } from './set-many.ts';
import { findPeople } from './who.ts';

export interface PresenceSetOptions {
  readonly extensions: readonly string[];
  readonly queue?: string;
  readonly file?: string;
  readonly map: readonly string[];
  readonly results?: string;
  readonly resume?: string;
  readonly maxErrors?: string;
  readonly failFast?: boolean;
  readonly concurrency: number;
  readonly userStatus?: UserStatus;
  readonly dndStatus?: DndStatus;
  readonly queueCalls?: 'on' | 'off';
  readonly message?: string;
  readonly allowSeeMyPresence?: boolean;
  readonly ringOnMonitoredCall?: boolean;
  readonly pickUpCallsOnHold?: boolean;
}

/** `presence set [EXT...]`: one person at once, several as a run with a journal. */
export async function setPresence(ctx: Context, options: PresenceSetOptions): Promise<void> {
  if (options.resume !== undefined) return resumePresence(ctx, options.resume, options);
  if (options.file !== undefined) return setFromList(ctx, options.file, options);
  const wish: PresenceWish = { fields: givenFields(options), queueCalls: options.queueCalls };
  checkWish(wish);
  if (options.queue !== undefined && options.extensions.length > 0) {
    throw usageError('name extensions, or --queue, not both');
  }
  const api = await ctx.api();
  const people = await findPeople(ctx, api, options);
  const [only, second] = people;
  if (only && !second && options.queue === undefined) return setOne(ctx, api, only, wish);
  const { fields, queueCalls } = wish;
  const wishes = people.map((person): WishFor => ({
    fields,
    queueCalls,
    person,
    row: undefined,
    place: undefined,
  }));
  const input = { headings: ['extension'], rows: [] };
  await setMany(ctx, api, { wishes, refused: [], input }, options);
}

function checkWish(wish: PresenceWish): void {
  if (wish.queueCalls === undefined && Object.keys(wish.fields).length === 0) {
    throw usageError(
      'nothing to change',
      'give at least one of --user-status, --queue-calls, --message, ...',
    );
  }
  const problem = wishProblem(wish);
  if (problem !== undefined) throw usageError(problem);
}

async function setFromList(ctx: Context, file: string, options: PresenceSetOptions): Promise<void> {
  const flags: PresenceWish = { fields: givenFields(options), queueCalls: options.queueCalls };
  if (options.extensions.length > 0)
    throw usageError('name extensions, or give a list with --file, not both');
  const name = file === '-' ? 'stdin' : file;
  const list = readPresenceList(await readListFile(ctx, file), name, readMap(options.map));
  const wishes = list.wishes.map((wish) => ({ ...wish, ...mergeWish(flags, wish) }));
  const problems = [...list.problems, ...wishes.flatMap(idleRow)];
  if (problems.length > 0) {
    const lost = await lostNames(ctx, async (directory) => problemsOf(await findListed(directory, wishes)));
    throw listError([...problems, ...lost]);
  }
  const api = await ctx.api();
  const found = await findListed(openDirectory(api, ctx.signal), wishes);
  const { refused, misses, contradictions } = found;
  if (contradictions.length > 0) throw listError(problemsOf(found));
  if (!mayLeaveOut(refused, found.wishes.length, options)) throw unfoundError(refused, misses);
  await setMany(ctx, api, { wishes: found.wishes, refused, input: list.input }, options);
}

function idleRow({ fields, queueCalls, place }: ListedWish): readonly ListProblem[] {
  const isIdle = queueCalls === undefined && Object.keys(fields).length === 0;
  return isIdle ? [{ place: cellPlace(place, 'extension'), text: 'the row changes nothing' }] : [];
}

function problemsOf({ refused, contradictions }: FoundWishes): readonly ListProblem[] {
  return [...refused.map(({ place, message }) => ({ place, text: message })), ...contradictions];
}

function unfoundError(refused: readonly RefusedPerson[], misses: readonly NameMiss[]): CommandError {
  const [only, second] = misses;
  if (only && !second) return lookupError(only);
  const details = refusedLines(refused);
  return notFoundError(
    `${misses.length} names not found`,
    'correct the list and run it again; nothing was sent',
    details,
  );
}

/** A flag is for every row; the row's own cell goes before it. */
function mergeWish(flags: PresenceWish, row: PresenceWish): PresenceWish {
  const fields = { ...flags.fields, ...row.fields };
  const queueCalls = row.fields.dndStatus === undefined ? (row.queueCalls ?? flags.queueCalls) : undefined;
  return { fields, queueCalls };
}
