import type { Call, Client, HttpReply, ErrorStatusReply, RequestOptions } from '../../client/index.ts';
import { parseJson, stringifyJson } from '../../platform/json.ts';
import { deletesMessages, mayRepeat } from '../../platform/reading-paths.ts';
import { counted } from '../../platform/counted.ts';
import { escapeJson, safe, safeLines } from '../../platform/terminal-text.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { readBody, readFields, type BodyOptions } from './body.ts';
import type { FieldValue } from './fields.ts';
import { guard, readHeaders } from './guards.ts';
import { checkQuery, readTarget, type Method, type Target } from './target.ts';

export interface ApiOptions extends BodyOptions {
  readonly request: readonly string[];
  readonly method?: Method;
  readonly header: readonly string[];
  readonly paginate?: boolean;
  readonly include?: boolean;
  readonly wholeMailbox?: boolean;
}

/** `api`: one request, with the session, the guards and the transport that every command uses. */
export async function callApi(ctx: Context, options: ApiOptions): Promise<void> {
  const headers = readHeaders(options.header);
  if (options.paginate && options.include)
    throw usageError('--include and --paginate cannot be used together', 'remove one of them');
  const fields = await readFields(ctx, options);
  const api = await ctx.api();
  const baseUrl = new URL(ctx.settings.baseUrl.value ?? '');
  const hasBody = fields.length > 0 || options.input !== undefined;
  const target = readTarget(options.request, hasBody, baseUrl, options.method);
  checkMethod(target, options);
  const call = await callOf(ctx, options, { target, headers, fields });
  const perPage = options.paginate ? pageSizeOf(call) : undefined;
  await guard(ctx, target, call.body !== undefined, options.wholeMailbox ?? false);
  if (options.paginate) {
    const pages = api.pages<object>(call, { perPage, signal: ctx.signal });
    return ctx.out.list(pages, { columns: [] });
  }
  // Ctrl-C does not abort a change: without its reply, its outcome would be unknown.
  const request = target.method === 'GET' ? { signal: ctx.signal } : {};
  const reply = await openShown(ctx, api, call, { ...request, include: options.include ?? false });
  if (options.include) await ctx.out.text(headText(reply));
  await show(ctx, reply, !mayRepeat(call));
  checkParts(reply, call);
}

/** @throws {CommandError} if a reply about several resources does not confirm the change of each. */
function checkParts({ parts = [] }: HttpReply, { method, path }: Call): void {
  const missing = parts.filter(({ status }) => status === undefined);
  const rejected = parts.filter(({ status = 200 }) => status >= 300);
  if (missing.length + rejected.length === 0) return;
  const isUnknown = missing.length > 0;
  const open = counted(missing.length + rejected.length, 'resource');
  const line = `${method} ${path}`;
  const message = isUnknown
    ? `the reply to ${line} does not confirm the changes to ${open} (of ${parts.length})`
    : `${line}: the service rejected the changes to ${open} (of ${parts.length})`;
  const [code, exit] =
    rejected.length < parts.length
      ? (['partial', Exit.partial] as const)
      : (['failed', Exit.failed] as const);
  throw new CommandError(
    isUnknown ? 'outcome_unknown' : code,
    isUnknown ? Exit.outcomeUnknown : exit,
    message,
    {
      details: [...missing, ...rejected].map(({ id, status }) =>
        status === undefined ? `${id}: not in the reply` : `${id}: HTTP ${status}`,
      ),
      hint: isUnknown
        ? 'read these resources before you repeat the request, because some changes may have been made'
        : 'fix the request as described in the reply, and send it again with the IDs of these resources only',
    },
  );
}

/** @throws {CommandError} `usage` for options that the method does not support. */
function checkMethod({ method }: Target, options: ApiOptions): void {
  if (options.paginate && method !== 'GET')
    throw usageError('--paginate can be used only with the GET method', methodHint(options));
  if (method === 'GET' && options.input !== undefined)
    throw usageError(
      '--input cannot be used with the GET method',
      nextStep`specify another method: ${ucctl('api POST PATH --input FILE')}`,
    );
}

/** Returns the page size in the query of a request, if it has one. @throws {CommandError} `usage`. */
function pageSizeOf({ query }: Pick<Call, 'query'>): number | undefined {
  const size = [query?.['perPage']].flat().at(-1);
  // The call log accepts this value (BASE-34).
  if (size === undefined || size === 'max') return undefined;
  if (/^[1-9]\d*$/.test(String(size))) return Number(size);
  throw usageError(
    `perPage: "${String(size)}" is not a valid page size`,
    'use a number from 1 to 1000, or omit perPage',
  );
}

/** Builds the request. Fields become the body, or the query if the method is GET or --input provides the body. */
async function callOf(
  ctx: Context,
  options: ApiOptions,
  given: {
    readonly target: Target;
    readonly headers: Readonly<Record<string, string>>;
    readonly fields: readonly (readonly [string, FieldValue])[];
  },
): Promise<Call> {
  const { target, headers, fields } = given;
  const isRead = target.method === 'GET';
  const body = isRead ? {} : await readBody(ctx, options, fields, headers['content-type']);
  const inQuery = isRead || options.input !== undefined ? fields : [];
  checkQuery(inQuery.map(([name]) => name));
  return {
    method: target.method,
    path: target.path,
    query: queryOf(target, inQuery),
    headers,
    once: target.method === 'POST' && !mayRepeat(target),
    ...(isUnrepeatable(target) && { resend: 'unsent' }),
    ...body,
  };
}

/** Whether a change must not be repeated: a second DELETE of a message purges it, and PATCH is not idempotent. */
function isUnrepeatable(target: Target): boolean {
  return target.method === 'PATCH' || deletesMessages(target);
}

/** Returns the hint for a request whose fields made POST the default method. */
function methodHint({ request, method, rawField, field }: ApiOptions): Hint | undefined {
  const isGuessed = request.length === 1 && method === undefined && rawField.length + field.length > 0;
  return isGuessed
    ? nextStep`add GET to send the fields as query parameters: ${ucctl`api GET ${request[0] ?? 'PATH'} ...`}`
    : undefined;
}

/**
 * With `--include`, an error reply is printed before it is reported as an error. A reply that does not prove a change is
 * always printed, because the request must not be repeated only to see the reply.
 */
async function openShown(
  ctx: Context,
  api: Client,
  call: Call,
  { include, ...request }: RequestOptions & { readonly include: boolean },
): Promise<HttpReply> {
  let rejected: ErrorStatusReply | undefined;
  let unproven: ErrorStatusReply | undefined;
  const keep: RequestOptions = {
    onErrorStatus: (last) => (rejected = last),
    onUnproven: (last) => (unproven = last),
  };
  try {
    return await api.transport.open(call, { ...request, ...keep });
  } catch (error) {
    const last = unproven ?? (include ? rejected : undefined);
    if (last) await showProblem(ctx, last, include);
    throw error;
  }
}

/** Prints an error reply, or a reply that does not prove a change, without the secrets that it repeats. */
async function showProblem(ctx: Context, { reply, text }: ErrorStatusReply, include: boolean): Promise<void> {
  const { maskBodySecrets, maskSecrets } = await import('../../platform/mask-secrets.ts');
  if (include) await ctx.out.text(maskSecrets(headText(reply), ctx.sentSecrets));
  const body = maskBodySecrets(text, ctx.sentSecrets).trimEnd();
  if (body.trim() !== '') await ctx.out.text(`${safeLines(body)}\n`);
}

function queryOf(
  target: Target,
  fields: readonly (readonly [string, FieldValue])[],
): Record<string, readonly string[]> {
  const query = Object.assign(Object.create(null) as Record<string, readonly string[]>, target.query);
  for (const [name, value] of fields) {
    // A query cannot express an empty list, so it is omitted.
    if (!Array.isArray(value)) query[name] = [...(query[name] ?? []), String(value)];
  }
  return query;
}

function headText(reply: HttpReply): string {
  const lines = Object.entries(reply.headers ?? {}).map(
    ([name, value]) => `${safe(name)}: ${name === 'set-cookie' ? '***' : safe(value)}`,
  );
  return `${[`HTTP/1.1 ${reply.status}`, ...lines].join('\n')}\n\n`;
}

/** @throws {CommandError} for the reply to a read that `ucctl api` does not print: an HTML page, or a file. */
async function requirePrintable(reply: HttpReply, type: string): Promise<void> {
  const isPage = type.startsWith('text/html');
  if (!isPage && (type === '' || /json|^text\/|xml/.test(type))) return;
  await reply.discard();
  if (!isPage)
    throw new CommandError(
      'not_text',
      Exit.failed,
      `the reply is a file (${type}), which this command does not print`,
      { hint: nextStep`to save files: ${ucctl('download')}` },
    );
  throw new CommandError(
    'bad_reply',
    Exit.failed,
    'the reply is an HTML page, which the service never sends',
    {
      hint: nextStep`check the base URL: ${ucctl('config list --show-origin')}; to see the page, run the command again with --debug=http`,
    },
  );
}

/** Prints a reply. The reply to a change was already read, so its content decides instead of its type. */
async function show(ctx: Context, reply: HttpReply, isChange: boolean): Promise<void> {
  const type = reply.header('content-type')?.toLowerCase() ?? '';
  if (!isChange) await requirePrintable(reply, type);
  const text = await reply.text();
  if (text.trim() === '') return;
  const isJson = type.includes('json') || (isChange && !type.startsWith('multipart/'));
  const value = isJson ? parsed(text) : undefined;
  if (Array.isArray(value)) return ctx.out.list(value as object[], { columns: [] });
  const page = listPage(value);
  if (page && ['table', 'csv', 'tsv'].includes(ctx.out.format)) {
    if (page.isPart) ctx.out.note('This is one page of a list. Use --paginate to fetch all pages.');
    return ctx.out.list(page.records, { columns: [] });
  }
  if (typeof value === 'object' && value !== null) return ctx.out.record(value, { columns: [] });
  await ctx.out.text(value === undefined ? safeLines(text) : `${escapeJson(stringifyJson(value))}\n`);
}

/** Returns the records of a reply with one page of a list; undefined for any other reply. */
function listPage(value: unknown): { records: readonly object[]; isPart: boolean } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { records, navigation, paging } = value as {
    readonly records?: unknown;
    readonly navigation?: { readonly nextPage?: unknown; readonly previousPage?: unknown };
    readonly paging?: { readonly totalPages?: unknown };
  };
  if (!Array.isArray(records) || records.some((one) => typeof one !== 'object' || one === null))
    return undefined;
  const isPart =
    Boolean(navigation?.nextPage ?? navigation?.previousPage) || Number(paging?.totalPages ?? 1) > 1;
  return { records: records as object[], isPart };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (cause) {
    throw new CommandError(
      'bad_reply',
      Exit.failed,
      'the Content-Type of the reply is JSON, but the body is not valid JSON',
      {
        hint: 'to see the reply, run the command again with --debug=http',
        cause,
      },
    );
  }
}
