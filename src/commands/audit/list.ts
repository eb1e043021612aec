import { dayMilliseconds } from '../../platform/day.ts';
import type { AuditFilter, AuditRecord } from '../../contract/audit.ts';
import { auditTrail } from '../../contract/limits.ts';
import { extensionIds, openDirectory } from '../../features/directory/index.ts';
import { knownExtensions } from '../../features/known-values/index.ts';
import { isChangeOfCompany } from '../../features/resource-plan/index.ts';
import { readWindow, withRange, type Window } from '../../features/time-window/index.ts';
import type { Client } from '../../client/index.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { isRejectedByService } from '../../errors/service-codes.ts';
import { isoWithOffset } from '../../platform/moment.ts';
import type { Context } from '../../runtime/context.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';
import type { Column, View } from '../../runtime/output.ts';
import { withNumber } from '../../runtime/with-number.ts';
import { auditRows, detailsText, extensionIdPattern, shownDetails } from './audit.rows.ts';
import { reportCut } from '../../runtime/report-cut.ts';

export interface AuditListOptions extends WindowOptions {
  readonly by: readonly string[];
  readonly target: readonly string[];
  readonly action: readonly string[];
  readonly excludeAction: readonly string[];
  readonly search?: string;
  readonly site?: string;
  readonly limit?: number;
  readonly all?: boolean;
  readonly perPage?: number;
}

const defaultLimit = 100;
/** Length of the period without --since. */
const defaultPeriod = 7 * dayMilliseconds;
/** The word for the company in `--target`. */
const company = 'company';

/** `audit list`: streams the records, with one page in memory at a time. */
export async function listChanges(ctx: Context, options: AuditListOptions): Promise<void> {
  const api = await ctx.api();
  const targets = await targetsOf(ctx, api, options.target);
  const now = ctx.now();
  const window = periodOf(ctx, options, now);
  const filter = await filterOf(ctx, api, options, { targets, window });
  const limit = options.all ? undefined : (options.limit ?? defaultLimit);
  const records = api.auditTrail.search(filter, {
    signal: ctx.signal,
    perPage: options.perPage,
    // Requests one record more than the limit, to detect whether the list is truncated.
    limit: limit === undefined || targets.hasCompany ? undefined : limit + 1,
  });
  const end = { read: 0, given: 0, isCut: false };
  const shown = first(limit ?? Number.POSITIVE_INFINITY, ofTargets(records, targets, end), end);
  await writeList(ctx, api, shown, window);
  if (end.isCut)
    reportCut(
      ctx.out,
      `showing only the first ${end.given} records; use --limit N or --all for more`,
      options.limit,
    );
  if (window.from < now - auditTrail.days * dayMilliseconds)
    ctx.out.warn(`The service searches only the last ${auditTrail.days} days; earlier records are missing.`);
  if (end.read >= auditTrail.records)
    ctx.out.warn(
      `The service returns at most ${auditTrail.records} records, so earlier records may be missing. Choose a shorter period with --since and --until.`,
    );
}

/** A period whose start is known. */
interface Period extends Window {
  readonly from: number;
}

/** Without --since, the period begins seven days before its end, or before now if its end is in the future. */
function periodOf(ctx: Context, options: WindowOptions, now: number): Period {
  const window = readWindow(options, ctx);
  return { ...window, from: window.from ?? Math.min(window.to ?? now, now) - defaultPeriod };
}

async function filterOf(
  ctx: Context,
  api: Client,
  options: AuditListOptions,
  { targets, window }: { readonly targets: Targets; readonly window: Period },
): Promise<AuditFilter> {
  return {
    eventTimeFrom: isoWithOffset(window.from, window.zone),
    ...(window.to !== undefined && { eventTimeTo: isoWithOffset(window.to, window.zone) }),
    ...(options.by.length > 0 && { initiatorIds: await idsOf(ctx, api, options.by) }),
    ...(targets.isSearched && { targetIds: targets.ids }),
    ...(options.action.length > 0 && { actionIds: options.action }),
    ...(options.excludeAction.length > 0 && { excludeActionIds: options.excludeAction }),
    ...(options.search !== undefined && { searchString: options.search }),
    ...(options.site !== undefined && { siteId: options.site }),
  };
}

/**
 * Writes the list: for people with the names of extensions, for programs with the IDs and the names in the cache, which
 * cost no request. JSON contains the records as the service returns them.
 */
async function writeList(
  ctx: Context,
  api: Client,
  records: AsyncIterable<AuditRecord>,
  window: Window,
): Promise<void> {
  const names = new Map<string, string>();
  if (!ctx.out.isTerminal || ctx.out.format !== 'table') {
    for (const { id, name, extensionNumber } of knownExtensions(ctx))
      names.set(id, withNumber(name, extensionNumber));
    const value = (row: AuditRecord): string => detailsText(row, names);
    return ctx.out.list(records, withDetails({ value }));
  }
  const shown = (row: AuditRecord): string => shownDetails(row, names);
  await ctx.out.list(withNames(ctx, api, records, names), withRange(withDetails({ shown }), window));
}

/** The columns of the list, with another text of the details. */
function withDetails(text: Partial<Pick<Column<AuditRecord>, 'shown' | 'value'>>): View<AuditRecord> {
  const { list } = auditRows;
  const columns = list.columns.map((column) => (column.key === 'details' ? { ...column, ...text } : column));
  return { ...list, columns };
}

/** Reads the names of the extensions once, before the first record whose details contain an ID. */
async function* withNames(
  { signal }: Context,
  api: Client,
  records: AsyncIterable<AuditRecord>,
  names: Map<string, string>,
): AsyncGenerator<AuditRecord, void, undefined> {
  let isRead = false;
  for await (const record of records) {
    if (!isRead && detailsText(record).search(extensionIdPattern) >= 0) {
      isRead = true;
      for (const { id, name, extensionNumber } of await openDirectory(api, signal).all())
        names.set(String(id), withNumber(name, extensionNumber) || String(id));
    }
    yield record;
  }
}

/** The targets whose changes are shown. */
interface Targets {
  readonly ids: readonly string[];
  /** Whether changes of the company are shown. No published ID selects them in a search (AUDIT-5). */
  readonly hasCompany: boolean;
  /** Whether the search selects the records by ID. Otherwise, ucctl selects them. */
  readonly isSearched: boolean;
}

async function targetsOf(ctx: Context, api: Client, names: readonly string[]): Promise<Targets> {
  const extensions = names.filter((name) => name.toLowerCase() !== company);
  const hasCompany = extensions.length < names.length;
  const ids = extensions.length > 0 ? await idsOf(ctx, api, extensions) : [];
  return { ids, hasCompany, isSearched: names.length > 0 && !hasCompany };
}

/** Counts the records that the search returned, and yields those of the targets. */
async function* ofTargets(
  records: AsyncIterable<AuditRecord>,
  { ids, hasCompany }: Targets,
  end: { read: number },
): AsyncGenerator<AuditRecord, void, undefined> {
  for await (const record of records) {
    end.read += 1;
    if (!hasCompany || isChangeOfCompany(record) || ids.includes(record.target?.objectId ?? '')) yield record;
  }
}

async function idsOf(
  { signal }: Context,
  api: Client,
  extensions: readonly string[],
): Promise<readonly string[]> {
  const ids = await extensionIds(api, extensions, signal);
  return Promise.all(ids.map(async (id) => (id === '~' ? ownId(api, signal) : String(id))));
}

/** Returns the ID of the signed-in user, because the search accepts only IDs. */
async function ownId(api: Client, signal: AbortSignal): Promise<string> {
  const { id } = await api.extensions.get('~', { signal });
  return String(id);
}

/** Reads the first records, and explains a missing permission. */
async function* first(
  limit: number,
  records: AsyncIterable<AuditRecord>,
  end: { given: number; isCut: boolean },
): AsyncGenerator<AuditRecord, void, undefined> {
  try {
    for await (const record of records) {
      end.isCut = end.given === limit;
      if (end.isCut) return;
      end.given += 1;
      yield record;
    }
  } catch (error) {
    const isOfUser = isRejectedByService(error, 403) && error.permissionName === undefined;
    throw isOfUser ? administratorsOnly(error) : error;
  }
}

function administratorsOnly(cause: unknown): CommandError {
  return new CommandError(
    'permission_missing',
    Exit.permission,
    'the audit trail requires an administrator',
    {
      need: 'an account administrator',
      hint: 'ask an administrator to run this command',
      cause,
    },
  );
}
