import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { mediaServer, sound, type MediaServer } from './media-server.ts';

/** A folder for downloads that does not exist yet. */
function newFolder(): string {
  return join(temporaryFolder(), 'downloads');
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  const failure: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  return (failure as { readonly code?: unknown } | undefined)?.code;
}

describe('the connection of a rejected reply is closed, so that it does not keep the process running', () => {
  const body = sound(256 * 1024);
  const cases: readonly (readonly [string, number, Readonly<Record<string, string>>])[] = [
    ['a page', 200, { 'content-type': 'text/html' }],
    ['damaged gzip', 200, { 'content-type': 'audio/x-wav', 'content-encoding': 'gzip' }],
  ];

  it.each(cases)('%s', async (_what, status, headers) => {
    const open = new Set<ServerResponse>();
    const server: MediaServer = await mediaServer((_request, response) => {
      open.add(response);
      response.on('close', () => open.delete(response));
      // The reply never ends.
      response.writeHead(status, headers).write(body);
    });
    const options = { expectedType: 'audio/x-wav', retries: 0 };
    expect(await codeOf(server.fetch(newFolder(), options))).toMatch(/^(not_media|bad_reply|cut)$/);
    expect(server.asked.length).toBeGreaterThan(0);
    await eventually(() => expect(open.size).toBe(0));
  });
});
