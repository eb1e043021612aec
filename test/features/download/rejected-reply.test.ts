import { readdirSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { mediaServer, serve, sound, type MediaServer } from './media-server.ts';

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

describe('a reply that is not the content', () => {
  it.each([202, 203, 204, 205, 226, 304])('HTTP %i: no file', async (status) => {
    const folder = newFolder();
    const server = await mediaServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'audio/x-wav', 'content-length': 0 }).end();
    });
    expect(await codeOf(server.fetch(folder))).toBe('bad_reply');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('an empty reply in place of an attachment with a size: no file', async () => {
    const folder = newFolder();
    const server = await mediaServer((request, response) =>
      serve(request, response, { content: Buffer.alloc(0), etag: '"e"' }),
    );
    expect(await codeOf(server.fetch(folder, { expectedSize: 96_044 }))).toBe('bad_reply');
    expect(readdirSync(folder)).toEqual([]);
    expect((await server.fetch(folder, { expectedSize: 0 })).bytes).toBe(0);
  });
});

describe('the connection of a rejected reply is closed, so that it does not keep the process running', () => {
  const body = sound(256 * 1024);
  const cases: readonly (readonly [string, number, Readonly<Record<string, string>>])[] = [
    ['a page', 200, { 'content-type': 'text/html' }],
    ['an encoding that was not requested', 200, { 'content-type': 'audio/x-wav', 'content-encoding': 'br' }],
    ['a status without content', 202, { 'content-type': 'audio/x-wav' }],
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
