import { DryRunStop, type WithheldRequest } from '../errors/service.ts';
import { jsonIn } from '../platform/body-members.ts';
import { stringifyJson } from '../platform/json.ts';
import { escapeJson, safe, safeLines } from '../platform/terminal-text.ts';
import type { Output, View } from '../runtime/output.ts';

/** A request that a dry run kept back. */
export interface Withheld {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: unknown;
  /** Of a body that is not JSON. */
  readonly contentType?: string | undefined;
}

interface Shown extends Withheld {
  /** A body that is not JSON, as it would go out. */
  readonly text: string | undefined;
}

const secretName = /(password|secret|token|assertion|code_verifier|encryptionkey|subscriberkey)(?!_ttl)/i;

const secretHeader = /auth|cookie|key|password|secret|signature|token/i;

/** The requests of a run that ended with `error` because of `--dry-run`; undefined when it is another error. */
export function withheldRequests(error: unknown): readonly Shown[] | undefined {
  return error instanceof DryRunStop ? error.all.map(maskedRequest) : undefined;
}

/** Parameters such as the charset may follow. */
const form = /^\s*application\/x-www-form-urlencoded\s*(;|$)/i;

const view: View<Withheld> = {
  columns: [
    { key: 'method', title: 'Method', value: (request) => request.method },
    { key: 'url', title: 'URL', value: (request) => request.url },
    { key: 'body', title: 'Body', value: (request) => bodyText(request.body) },
  ],
};

/** Shows the requests: as records where the format is for programs, one alone as an object; else as they would go out. */
export async function showWithheld(requests: readonly Shown[], out: Output): Promise<void> {
  if (out.format !== 'table' && out.format !== 'tsv') {
    const records = requests.map(({ text: _text, ...record }): Withheld => record);
    const [only] = records;
    return only && records.length === 1 ? out.record(only, view) : out.list(records, view);
  }
  await out.text(requests.map(asSent).join('\n'));
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

/** JSON and forms are read, wherever they came from, so that what is secret in them is hidden. */
function maskedRequest({ method, url: address, headers, contentType, body, text }: WithheldRequest): Shown {
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

/** All of a secret, also where it is a number or a list; that there is none is no secret. */
function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  return value === null || value === undefined || typeof value === 'boolean' ? value : '***';
}
