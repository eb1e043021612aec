import type { Exchange } from './traced-http.ts';

/** Returns an exchange as lines for stderr, in the format of curl: `>` for the request, `<` for the reply. */
export function debugLines(exchange: Exchange): string {
  const { method, url, milliseconds, status, failure } = exchange;
  const lines = [
    `> ${method} ${url}`,
    ...headerLines('>', exchange.requestHeaders),
    ...bodyLines('>', exchange.requestBody),
    status === undefined ? `< no reply` : `< HTTP ${status}  (${Math.round(milliseconds)} ms)`,
    ...headerLines('<', exchange.responseHeaders),
    ...bodyLines('<', exchange.responseBody),
    ...(failure === undefined ? [] : [`! ${failure}`]),
  ];
  return lines.join('\n');
}

function headerLines(mark: string, headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${mark} ${name}: ${value}`);
}

function bodyLines(mark: string, body: string | undefined): readonly string[] {
  return body === undefined ? [] : [`${mark} `, `${mark} ${body}`];
}
