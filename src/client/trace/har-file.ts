import { closeSync, fchmodSync, fstatSync, ftruncateSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../platform/make-folder.ts';
import { writeAllSync } from '../../platform/write-all.ts';
import type { Exchange, ExchangeSink } from './traced-http.ts';

const tail = '\n]}}\n';

/**
 * Writes exchanges to a HAR 1.2 file of mode 0600, and creates its folder. The file is valid after each exchange. An exchange that cannot be
 * written is omitted and passed to `onFailure`, because a trace must not make a request fail that was sent.
 * @throws if the file cannot be created.
 */
export function harFile(file: string, version: string, onFailure: (error: unknown) => void): ExchangeSink {
  makeFolder(dirname(file), 0o700);
  const head = `{"log":{"version":"1.2","creator":{"name":"ucctl","version":${JSON.stringify(version)}},"entries":[`;
  let position = create(file, head);
  let isFirst = true;
  return (exchange) => {
    try {
      position = append(file, `${isFirst ? '' : ','}\n${JSON.stringify(toEntry(exchange))}`, position);
      isFirst = false;
    } catch (error) {
      onFailure(error);
    }
  };
}

/** Creates a file without entries. Returns the position of the first entry. */
function create(file: string, head: string): number {
  const handle = openSync(file, 'w', 0o600);
  try {
    // The mode argument of `openSync` applies only to a new file. A device such as /dev/null belongs to all users.
    if (fstatSync(handle).isFile()) fchmodSync(handle, 0o600);
    const position = writeText(handle, head, 0);
    writeText(handle, tail, position);
    return position;
  } catch (error) {
    // The error of a write does not name the file.
    throw Object.assign(error as Error, { path: file });
  } finally {
    closeSync(handle);
  }
}

/** Writes an entry and the end of the file. Returns the position of the end. Restores the end if the entry does not fit. */
function append(file: string, entry: string, position: number): number {
  const handle = openSync(file, 'r+');
  try {
    const end = writeText(handle, entry, position);
    writeText(handle, tail, end);
    return end;
  } catch (error) {
    if (fstatSync(handle).isFile()) ftruncateSync(handle, position);
    writeText(handle, tail, position);
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** Writes a text. Returns the position after it. */
function writeText(handle: number, text: string, position: number): number {
  const bytes = Buffer.from(text);
  writeAllSync(handle, bytes, position);
  return position + bytes.length;
}

function toEntry(exchange: Exchange): object {
  const { startedAt, milliseconds, method, url, requestBody, responseBody, status, failure } = exchange;
  const type = exchange.requestHeaders['content-type'];
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: milliseconds,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(exchange.requestHeaders),
      queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: -1,
      ...(requestBody !== undefined && { postData: { mimeType: type ?? '', text: requestBody } }),
    },
    response: {
      status: status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(exchange.responseHeaders),
      content: {
        size: exchange.responseBytes ?? 0,
        mimeType: exchange.responseHeaders['content-type'] ?? '',
        ...(responseBody !== undefined && { text: responseBody }),
      },
      redirectURL: exchange.responseHeaders['location'] ?? '',
      headersSize: -1,
      bodySize: -1,
      ...(failure !== undefined && { _error: failure }),
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
  };
}

function pairs(values: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}
