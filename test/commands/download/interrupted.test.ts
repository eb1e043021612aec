import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

/** Downloads a file that Ctrl-C interrupts after its first bytes, and returns the notes and the files left. */
async function interrupted(headers: Readonly<Record<string, string>>): Promise<{
  readonly stderr: string;
  readonly files: readonly string[];
}> {
  const ctrlC = new AbortController();
  const all = { 'content-type': 'audio/x-wav', 'content-length': '200000', ...headers };
  const { run } = await openOffice(undefined, (send) => (request) => {
    if (request.url.hostname !== 'elsewhere.example') return send(request);
    return Promise.resolve({
      status: 200,
      header: (name) => Object.entries(all).find(([key]) => key === name)?.[1],
      text: () => Promise.resolve(''),
      bytes: async function* bytes() {
        yield Buffer.alloc(100_000, 'RIFF....WAVE');
        ctrlC.abort();
        request.signal?.throwIfAborted();
      },
      discard: () => Promise.resolve(),
    });
  });
  const dir = temporaryFolder();
  const uri = 'https://elsewhere.example/content/1';
  const { stderr } = await run(`download --uri ${uri} --dir ${dir}`, { signal: ctrlC.signal });
  return { stderr, files: readdirSync(dir) };
}

describe('a download that is interrupted', () => {
  it('with a strong ETag stores the partial file, and says so', async () => {
    const { stderr, files } = await interrupted({ etag: '"a"' });
    expect(stderr).toContain('to resume partial downloads');
    expect(files).toEqual([expect.stringMatching(/\.part$/), expect.stringMatching(/\.part\.json$/)]);
  });

  it('with a weak ETag stores nothing, and does not claim that it did', async () => {
    const { stderr, files } = await interrupted({ etag: 'W/"a"' });
    expect(stderr).toContain('there are no partial downloads');
    expect(stderr).not.toContain('to resume partial downloads');
    expect(files).toEqual([]);
  });
});
