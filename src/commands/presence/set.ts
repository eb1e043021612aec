import type { DndStatus, UserStatus } from '../../contract/enums.ts';
import { atPlace, mayLeaveOut, readListFile, readMap } from '../../features/bulk/index.ts';
import { lostNames, openDirectory, type Directory } from '../../features/directory/index.ts';
import {
  givenFields,
  readPresenceList,
  wishProblem,
  type ListedWish,
  type PresenceWish,
  type RefusedPerson,
} from '../../features/presence/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError, notFoundError, usageError, type CommandError } from '../../runtime/errors.ts';
import type { NameMiss } from '../../runtime/lookup.ts';
import { resumePresence } from './change-report.ts';
import { setOne } from './set-one.ts';
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
  const problems = [...list.problems];
  for (const { place, ...wish } of list.wishes) {
    const merged = mergeWish(flags, wish);
    if (merged.queueCalls === undefined && Object.keys(merged.fields).length === 0) {
      problems.push(`${place.file}:${place.line}:extension: the row changes nothing`);
    }
  }
  if (problems.length > 0) {
    problems.push(...(await lostNames(ctx, (directory) => unknownPeople(directory, list.wishes))));
    throw usageError(
      'there are problems in the list',
      'correct the list and run it again; nothing was sent',
      problems,
    );
  }
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const wishes: WishFor[] = [];
  const refused: RefusedPerson[] = [];
  const misses: NameMiss[] = [];
  for (const wish of list.wishes) {
    const { place, row, extension: who } = wish;
    const lookup = await directory.extension(who);
    if (lookup.found) {
      const person = { id: lookup.found.id, extension: lookup.found };
      wishes.push({ ...mergeWish(flags, wish), person, row, place });
      continue;
    }
    misses.push(lookup);
    const code = lookup.kind === 'ambiguous' ? 'ambiguous_name' : 'not_found';
    refused.push({ who, row, code, message: atPlace(place, 'extension', lookup.message) });
  }
  if (!mayLeaveOut(refused, wishes.length, options)) throw unfoundError(refused, misses);
  await setMany(ctx, api, { wishes, refused, input: list.input }, options);
}

function unfoundError(refused: readonly RefusedPerson[], misses: readonly NameMiss[]): CommandError {
  const [only, second] = misses;
  if (only && !second) return lookupError(only);
  const details = refused.map(({ message }) => message);
  return notFoundError(
    `${misses.length} names lead nowhere`,
    'correct the list and run it again; nothing was sent',
    details,
  );
}

/** Names of readable rows that lead nowhere. */
async function unknownPeople(
  directory: Directory,
  wishes: readonly ListedWish[],
): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const { extension, place } of wishes) {
    const lookup = await directory.extension(extension);
    if (!lookup.found) lost.push(atPlace(place, 'extension', lookup.message));
  }
  return lost;
}

/** A flag is for every row; the row's own cell goes before it. */
function mergeWish(flags: PresenceWish, row: PresenceWish): PresenceWish {
  const fields = { ...flags.fields, ...row.fields };
  const queueCalls = row.fields.dndStatus === undefined ? (row.queueCalls ?? flags.queueCalls) : undefined;
  return { fields, queueCalls };
}
