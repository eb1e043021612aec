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

/** The requests of a run that ended with `error` because of `--dry-run`; undefined when it is another error. */
export function withheldRequests(error: unknown): readonly Withheld[] | undefined {
  if (!(error instanceof Error) || error.name !== 'DryRunStop') return undefined;
  const { all } = error as Error & { readonly all: readonly Withheld[] };
  return all.map(({ method, url, body }) => ({ method, url: maskedUrl(url), body: masked(body) }));
}

const view: View<Withheld> = {
  columns: [
    { key: 'method', title: 'Method', value: (request) => request.method },
    { key: 'url', title: 'URL', value: (request) => request.url },
    { key: 'body', title: 'Body', value: (request) => bodyText(request.body) },
  ],
};

/** Shows the requests: as records where the format is for programs, one alone as an object; else as they would go out. */
export async function showWithheld(requests: readonly Withheld[], out: Output): Promise<void> {
  const [only] = requests;
  if (out.format !== 'table' && out.format !== 'tsv') {
    return only && requests.length === 1 ? out.record(only, view) : out.list(requests, view);
  }
  const texts = requests.map(({ method, url, body }) => {
    const shown = body === undefined ? '' : `\n${escapeJson(stringifyJson(body, 2))}\n`;
    return `${method} ${safe(url)}\n${shown}`;
  });
  await out.text(texts.join('\n'));
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
      secretName.test(key) && typeof item === 'string' ? '***' : masked(item),
    ]),
  );
}
