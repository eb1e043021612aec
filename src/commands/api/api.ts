import type { Call, Client, HttpReply, Refusal, RequestOptions } from '../../client/index.ts';
import { parseJson, stringifyJson } from '../../platform/json.ts';
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

/** `api`: one request as it was asked for, with the session, the guards and the transport of every command. */
export async function callApi(ctx: Context, options: ApiOptions): Promise<void> {
  const headers = readHeaders(options.header);
  if (options.paginate && options.include)
    throw usageError('--include shows one reply, --paginate reads many', 'leave one of them out');
  const fields = await readFields(ctx, options);
  const api = await ctx.api();
  const baseUrl = new URL(ctx.settings.baseUrl.value ?? '');
  const hasBody = fields.length > 0 || options.input !== undefined;
  const target = readTarget(options.request, hasBody, baseUrl, options.method);
  checkMethod(target, options);
  const call = await callOf(ctx, options, { target, headers, fields });
  await guard(ctx, target, call.body !== undefined, options.wholeMailbox ?? false);
  if (options.paginate) return ctx.out.list(api.pages<object>(call, { signal: ctx.signal }), { columns: [] });
  // Ctrl-C lets a change under way finish, else nobody would know whether it was made.
  const way = target.method === 'GET' ? { signal: ctx.signal } : {};
  if (!options.include) return show(ctx, await api.transport.open(call, way));
  const reply = await openShown(ctx, api, call, way);
  await ctx.out.text(headText(reply));
  await show(ctx, reply);
}

/** @throws {CommandError} `usage` for options that do not go with the method. */
function checkMethod({ method }: Target, options: ApiOptions): void {
  if (options.paginate && method !== 'GET')
    throw usageError('--paginate goes with GET only', methodHint(options));
  if (method === 'GET' && options.input !== undefined)
    throw usageError('a GET has no body', nextStep`give the method: ${ucctl('api POST PATH --input FILE')}`);
}

/** The request with its fields: in the body, or in the query where the body is another or there is none. */
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
    once: target.method === 'POST',
    ...body,
  };
}

/** Fields make a POST of a request that names no method. */
function methodHint({ request, method, rawField, field }: ApiOptions): Hint | undefined {
  const isGuessed = request.length === 1 && method === undefined && rawField.length + field.length > 0;
  return isGuessed
    ? nextStep`add GET: ${ucctl(`api GET ${request[0] ?? 'PATH'} ...`)}; fields then go into the query`
    : undefined;
}

/** Under `--include` the reply of a refusal is shown as well, before it is reported as the error that it is. */
async function openShown(ctx: Context, api: Client, call: Call, way: RequestOptions): Promise<HttpReply> {
  let refusal: Refusal | undefined;
  const onRefusal = (last: Refusal): void => {
    refusal = last;
  };
  try {
    return await api.transport.open(call, { ...way, onRefusal });
  } catch (error) {
    if (refusal) {
      const { reply, text } = refusal;
      await ctx.out.text(headText(reply) + (text === '' ? '' : `${safeLines(text).trimEnd()}\n`));
    }
    throw error;
  }
}

function queryOf(
  target: Target,
  fields: readonly (readonly [string, FieldValue])[],
): Record<string, readonly string[]> {
  const query: Record<string, readonly string[]> = { ...target.query };
  for (const [name, value] of fields) {
    // Nothing of an empty list stands in an address.
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

async function show(ctx: Context, reply: HttpReply): Promise<void> {
  const type = reply.header('content-type') ?? '';
  if (type !== '' && !/json|^text\/|xml/.test(type)) {
    await reply.discard();
    throw new CommandError('not_text', Exit.failed, `the reply is a file (${type}), not JSON`, {
      hint: nextStep`${ucctl('download')} saves files`,
    });
  }
  const text = await reply.text();
  if (text === '') return;
  const value = type.includes('json') ? parsed(text) : undefined;
  if (Array.isArray(value)) return ctx.out.list(value as object[], { columns: [] });
  const page = listPage(value);
  if (page && ['table', 'csv', 'tsv'].includes(ctx.out.format)) {
    if (page.isPart) ctx.out.note('this is one page of a list; --paginate reads all of them');
    return ctx.out.list(page.records, { columns: [] });
  }
  if (typeof value === 'object' && value !== null) return ctx.out.record(value, { columns: [] });
  await ctx.out.text(value === undefined ? safeLines(text) : `${escapeJson(stringifyJson(value))}\n`);
}

/** A reply that is a page of a list; formats of rows show its records. */
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
    throw new CommandError('bad_reply', Exit.failed, 'the reply says that it is JSON and is not', {
      hint: 'see it with --debug=http',
      cause,
    });
  }
}
