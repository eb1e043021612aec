import type { DndStatus, UserStatus } from '../../contract/enums.ts';
import {
  cellPlace,
  maySkip,
  maySkipRows,
  readListFile,
  readMap,
  rejectList,
  skippedProblems,
  writeErrorsFile,
  type ListProblem,
  type SkippedRow,
} from '../../features/bulk/index.ts';
import { findNameProblems, openDirectory } from '../../features/directory/index.ts';
import {
  givenFields,
  readPresenceList,
  requestProblem,
  type ListedRequest,
  type PresenceRequest,
  type SkippedPerson,
} from '../../features/presence/index.ts';
import { givenListOptions, type BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { rejectGiven } from '../../runtime/given-options.ts';
import { usageError } from '../../errors/command.ts';
import { resumePresence } from './change-report.ts';
import { setOne } from './set-one.ts';
import { findListed, type FoundRequests } from './find-listed.ts';
import { setMany, type PersonRequest } from './set-many.ts';
import { findPeople } from './who.ts';

export interface PresenceSetOptions extends Omit<BulkOptions, 'maxItems'> {
  readonly extensions: readonly string[];
  readonly queue?: string;
  readonly userStatus?: UserStatus;
  readonly dndStatus?: DndStatus;
  readonly queueCalls?: 'on' | 'off';
  readonly message?: string;
  readonly allowSeeMyPresence?: boolean;
  readonly ringOnMonitoredCall?: boolean;
  readonly pickUpCallsOnHold?: boolean;
}

/** `presence set [EXT...]`: changes one person directly, and several people as a run with a journal. */
export async function setPresence(ctx: Context, options: PresenceSetOptions): Promise<void> {
  if (options.resume !== undefined) return resumePresence(ctx, options.resume, options);
  if (options.file !== undefined) return setFromList(ctx, options.file, options);
  rejectGiven(givenListOptions(options), (option) =>
    usageError(`${option} requires a list`, 'use --file LIST'),
  );
  const request: PresenceRequest = { fields: givenFields(options), queueCalls: options.queueCalls };
  checkRequest(request);
  if (options.queue !== undefined && options.extensions.length > 0) {
    throw usageError('extensions and --queue cannot be used together', 'remove one of them');
  }
  const api = await ctx.api();
  const people = await findPeople(ctx, api, options);
  const [only, second] = people;
  const isRun = second !== undefined || options.queue !== undefined || options.results !== undefined;
  if (only && !isRun) return setOne(ctx, api, only, request);
  const { fields, queueCalls } = request;
  const requests = people.map((person): PersonRequest => ({
    fields,
    queueCalls,
    person,
    row: undefined,
    place: undefined,
  }));
  const input = { headings: ['extension'], rows: [] };
  await setMany(ctx, api, { requests, skipped: [], input }, options);
}

function checkRequest(request: PresenceRequest): void {
  if (request.queueCalls === undefined && Object.keys(request.fields).length === 0) {
    throw usageError(
      'no fields to change',
      'use at least one option that sets a field, such as --user-status, --dnd-status, --queue-calls or --message',
    );
  }
  const problem = requestProblem(request);
  if (problem !== undefined) throw usageError(problem);
}

async function setFromList(ctx: Context, file: string, options: PresenceSetOptions): Promise<void> {
  const flags: PresenceRequest = { fields: givenFields(options), queueCalls: options.queueCalls };
  if (options.extensions.length > 0)
    throw usageError('extensions and --file cannot be used together', 'remove one of them');
  const problem = requestProblem(flags);
  if (problem !== undefined) throw usageError(problem);
  const name = file === '-' ? 'stdin' : file;
  const content = await readListFile(ctx, file, options.sheet);
  const list = readPresenceList(content, name, readMap(options.map));
  for (const text of list.warnings) ctx.out.warn(text);
  const requests = list.requests.map((request) => ({ ...request, ...mergeRequest(flags, request) }));
  const problems = [...list.problems, ...requests.flatMap(emptyRow)];
  if (!maySkipRows(problems, options)) {
    const more = await findNameProblems(ctx, async (directory) =>
      problemsOf(await findListed(directory, requests)),
    );
    return rejectList(ctx, [...problems, ...more], options);
  }
  const bad = new Set(problems.map(({ row }) => row));
  const api = await ctx.api();
  const directory = openDirectory(api, ctx.signal);
  const found = await findListed(
    directory,
    requests.filter(({ row }) => !bad.has(row)),
  );
  const all = [...problems, ...problemsOf(found)];
  const skipped = [...skippedProblems(problems).map(unnamed), ...found.skipped];
  if (!maySkipRows(all, options) || !maySkip(skipped, found.requests.length, options)) {
    return rejectList(ctx, all, options);
  }
  await writeErrorsFile(ctx, all, options);
  await setMany(ctx, api, { requests: found.requests, skipped, input: list.input }, options);
}

function emptyRow({ fields, queueCalls, place, row }: ListedRequest): readonly ListProblem[] {
  const isEmpty = queueCalls === undefined && Object.keys(fields).length === 0;
  if (!isEmpty) return [];
  return [{ place: cellPlace(place, 'extension'), text: 'the row has no values to set', isOfRow: true, row }];
}

function problemsOf({ skipped, hints, contradictions }: FoundRequests): readonly ListProblem[] {
  const unknown = skipped.map(({ place, row, message }, index): ListProblem => ({
    place,
    text: message + (hints[index] ?? ''),
    isOfRow: true,
    row,
  }));
  return [...unknown, ...contradictions];
}

/** Returns an invalid row, whose person was not looked up. */
function unnamed(row: SkippedRow): SkippedPerson {
  return { ...row, who: '' };
}

/** Options apply to every row, unless the row has its own value. */
function mergeRequest(flags: PresenceRequest, row: PresenceRequest): PresenceRequest {
  const fields = { ...flags.fields, ...row.fields };
  const queueCalls = row.fields.dndStatus === undefined ? (row.queueCalls ?? flags.queueCalls) : undefined;
  return { fields, queueCalls };
}
