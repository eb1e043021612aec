import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FetchOptions } from '../../../src/features/download/fetch-options.ts';
import type { PartProgress } from '../../../src/features/download/part-notes.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { mediaServer, serve, sound } from './media-server.ts';

const mib = 1024 * 1024;
const content = sound(12 * mib);

/**
 * Downloads from a server that stops after these bytes and keeps the connection open, until the state is recorded.
 * @returns the recorded state, as a killed process leaves it
 */
async function recordedAfter(bytes: number, options: Partial<FetchOptions>): Promise<PartProgress> {
  const folder = temporaryFolder();
  const end = new AbortController();
  const server = await mediaServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/x-wav', etag: '"a"', 'content-length': content.length });
    response.write(content.subarray(0, bytes));
  });
  const state = join(folder, '.sound.wav.part.json');
  const fetched = server.fetch(folder, { signal: end.signal, ...options }).catch(() => undefined);
  const recorded = await eventually(() => {
    expect(existsSync(state)).toBe(true);
    return JSON.parse(readFileSync(state, 'utf8')) as PartProgress;
  });
  end.abort();
  await fetched;
  return recorded;
}

describe('the state of a download in progress', () => {
  it('is recorded after a few megabytes, also if they arrive at once', async () => {
    const { segments, total } = await recordedAfter(9 * mib, { elapsed: () => 0 });
    expect(total).toBe(content.length);
    // The last megabytes may be in memory.
    expect(segments[0]?.next).toBeGreaterThan(6 * mib);
  });

  it('is recorded each second if at least a megabyte was received', async () => {
    let elapsed = 0;
    const { segments } = await recordedAfter(3 * mib, { elapsed: () => (elapsed += 1000) });
    expect(segments[0]?.next).toBeGreaterThan(0);
  });

  it('is not recorded for a small file', async () => {
    const folder = temporaryFolder();
    const small = content.subarray(0, mib);
    const seen = new Set<string>();
    const server = await mediaServer((request, response) =>
      serve(request, response, { content: small, etag: '"a"' }),
    );
    let elapsed = 0;
    await server.fetch(folder, {
      elapsed: () => (elapsed += 10),
      onBytes: () => readdirSync(folder).forEach((name) => seen.add(name)),
    });
    expect([...seen]).not.toContain('.sound.wav.part.json');
  });
});
