import { stringifyJson } from '../platform/json.ts';
import { escapeJson, safe } from '../platform/terminal-text.ts';
import type { Output, View } from '../runtime/output.ts';

/** A request that a dry run kept back. */
export interface Withheld {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

const secretName = /password|secret|token|encryptionkey|subscriberkey/i;

/** The request that `error` kept back; undefined when it is another error. */
export function withheldRequest(error: unknown): Withheld | undefined {
  if (!(error instanceof Error) || error.name !== 'DryRunStop') return undefined;
  const { method, url, body } = (error as Error & { readonly withheld: Withheld }).withheld;
  return { method, url, body: masked(body) };
}

const view: View<Withheld> = {
  columns: [
    { key: 'method', title: 'Method', value: (request) => request.method },
    { key: 'url', title: 'URL', value: (request) => request.url },
    { key: 'body', title: 'Body', value: (request) => bodyText(request.body) },
  ],
};

/** Shows the request: as a record where the format is for programs, else as it would go out. */
export async function showWithheld(
  request: Withheld,
  out: Output & { text(finished: string): Promise<void> },
): Promise<void> {
  if (out.format !== 'table' && out.format !== 'tsv') return out.record(request, view);
  const body = request.body === undefined ? '' : `\n${escapeJson(stringifyJson(request.body, 2))}\n`;
  await out.text(`${request.method} ${safe(request.url)}\n${body}`);
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
      secretName.test(key) && typeof item === 'string' ? '***' : masked(item),
    ]),
  );
}
