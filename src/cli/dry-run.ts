import { DryRunStop, type DryRunRequest } from '../errors/dry-run-stop.ts';
import { counted } from '../platform/counted.ts';
import { jsonIn } from '../platform/body-members.ts';
import { stringifyJson } from '../platform/json.ts';
import { escapeJson, safe, safeLines } from '../platform/terminal-text.ts';
import type { Output, View } from '../runtime/output.ts';

/** A request that a dry run did not send. */
export interface UnsentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: unknown;
  /** Media type of a body that is not JSON. */
  readonly contentType?: string | undefined;
}

interface Shown extends UnsentRequest {
  /** A body that is not JSON, exactly as it would be sent. */
  readonly text: string | undefined;
}

const secretName = /(password|secret|token|assertion|code_verifier|encryptionkey|subscriberkey)(?!_ttl)/i;

const secretHeader = /auth|cookie|key|password|secret|signature|token/i;

/**
 * Returns the unsent requests of a run that ended with `error` because of `--dry-run`, secrets masked; undefined for
 * another error.
 */
export function unsentRequests(error: unknown): UnsentRequests | undefined {
  if (!(error instanceof DryRunStop)) return undefined;
  return { requests: error.all.map(maskedRequest), isList: error.isList };
}

/** The requests that a dry run did not send. */
interface UnsentRequests {
  readonly requests: readonly Shown[];
  /** Whether a single request is also shown as a list. */
  readonly isList: boolean;
}

/** Media type of a form, with or without parameters such as the charset. */
const form = /^\s*application\/x-www-form-urlencoded\s*(;|$)/i;

const view: View<UnsentRequest> = {
  columns: [
    { key: 'method', title: 'Method', value: (request) => request.method },
    { key: 'url', title: 'URL', value: (request) => request.url },
    { key: 'body', title: 'Body', value: (request) => bodyText(request.body) },
  ],
};

/** Maximum number of lines on a terminal for the requests of a list. More lines hide the preview of the changes. */
const maxLines = 40;
/** Maximum number of lines if the requests are shown without their bodies. */
const maxBriefLines = 15;

/**
 * Shows the requests: as records in the formats for programs (a single request that is not part of a list as an object),
 * otherwise as HTTP text. On a terminal, the text of a long list omits the bodies, because the command has shown its
 * changes with names.
 */
export async function showRequests({ requests, isList }: UnsentRequests, out: Output): Promise<void> {
  if (out.format !== 'table' && out.format !== 'tsv') {
    const records = requests.map(({ text: _text, ...record }): UnsentRequest => record);
    const [only] = records;
    return only && records.length === 1 && !isList ? out.record(only, view) : out.list(records, view);
  }
  const text = requests.map(asSent).join('\n');
  const isBrief = isList && out.isTerminal && out.format === 'table' && text.split('\n').length > maxLines;
  if (!isBrief) return out.text(text);
  await out.text(briefText(requests));
  out.note('Requests with their contents: run the same command with -o json, or in a pipe.');
}

/** Returns a line for each method and address, with the number of requests. */
function briefText(requests: readonly Shown[]): string {
  const counts = new Map<string, number>();
  for (const { method, url } of requests) {
    const line = `${method} ${safe(url)}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const lines = [...counts].map(([line, count]) => (count > 1 ? `${line}  (${count} times)` : line));
  const more = [...counts.values()].slice(maxBriefLines).reduce((sum, count) => sum + count, 0);
  return [
    `${counted(requests.length, 'request')}, not sent:`,
    ...lines.slice(0, maxBriefLines),
    ...(more > 0 ? [`… and ${more} more`] : []),
    '',
  ].join('\n');
}

function asSent({ method, url, headers = {}, contentType, body, text }: Shown): string {
  const head = [
    `${method} ${safe(url)}`,
    ...Object.entries(headers).map(([name, value]) => `${safe(name)}: ${safe(value)}`),
  ];
  const line = `${head.join('\n')}\n`;
  if (body === undefined) return line;
  if (contentType === undefined || text === undefined)
    return `${line}\n${escapeJson(stringifyJson(body, 2))}\n`;
  return `${line}Content-Type: ${safe(contentType)}\n\n${safeLines(text.replaceAll('\r\n', '\n')).trimEnd()}\n`;
}

/** Parses JSON and forms, so that their secrets can be masked. */
function maskedRequest({ method, url: address, headers, contentType, body, text }: DryRunRequest): Shown {
  const line = {
    method,
    url: maskedUrl(address),
    ...(headers && { headers: maskedHeaders(headers) }),
    contentType,
  };
  if (contentType !== undefined && form.test(contentType) && text !== undefined) {
    const fields = masked(Object.fromEntries(new URLSearchParams(text))) as Record<string, string>;
    return { ...line, body: fields, text: new URLSearchParams(fields).toString() };
  }
  const read = typeof body === 'string' ? jsonIn(body) : undefined;
  return read ? { ...line, body: masked(read), text: undefined } : { ...line, body: masked(body), text };
}

function maskedHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeader.test(name) ? '***' : value]),
  );
}

function maskedUrl(text: string): string {
  const url = new URL(text);
  const secrets = [...url.searchParams.keys()].filter((name) => secretName.test(name));
  for (const name of secrets) url.searchParams.set(name, '***');
  return url.href;
}

function bodyText(body: unknown): string {
  return body === undefined ? '' : stringifyJson(body);
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [
      key,
      secretName.test(key) ? hidden(item) : masked(item),
    ]),
  );
}

/** Masks a secret value of any type. Null, undefined and booleans reveal nothing and are not masked. */
function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  return value === null || value === undefined || typeof value === 'boolean' ? value : '***';
}
