import type { Reply } from './call.ts';

/** One part of a reply about several ids. */
export interface Part {
  readonly href: string;
  readonly status: number;
  readonly json: unknown;
}

const boundary = 'sandbox-batch';
const words: Readonly<Record<number, string>> = { 200: 'OK', 403: 'Forbidden', 404: 'Not Found' };

/** 207 as multipart/mixed: first what became of each id, then one part for each (facts 1.1, L278). */
export function multipartReply(parts: readonly Part[]): Reply {
  const response = parts.map(({ href, status }) => ({
    href,
    status,
    responseDescription: words[status] ?? 'Error',
  }));
  const pieces = [{ response }, ...parts.map(({ json }) => json)].map(
    (json) => `--${boundary}\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(json)}\r\n`,
  );
  return {
    status: 207,
    headers: { 'content-type': `multipart/mixed; boundary=${boundary}` },
    text: `${pieces.join('')}--${boundary}--\r\n`,
  };
}
