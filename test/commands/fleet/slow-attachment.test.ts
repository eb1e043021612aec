import { expect, it } from 'vitest';
import type { Client, HttpReply } from '../../../src/client/index.ts';
import { runTask } from '../../../src/commands/fleet/run-task.ts';
import type { Context } from '../../../src/runtime/context.ts';
import type { Archive } from '../../../src/store/archive.ts';
import { fakeSession } from '../../support/fleet-sessions.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A service that sends an attachment in pieces. @param onPiece called before each piece, except the first. */
function slowService(pieces: number, onPiece: () => void): Client {
  const headers: Readonly<Record<string, string>> = {
    'content-type': 'audio/mpeg',
    'content-length': String(pieces),
  };
  const reply: HttpReply = {
    status: 200,
    header: (name) => headers[name],
    text: () => Promise.resolve(''),
    async *bytes() {
      for (let piece = 0; piece < pieces; piece += 1) {
        if (piece > 0) onPiece();
        yield await Promise.resolve(Uint8Array.of(piece));
      }
    },
    discard: () => Promise.resolve(),
  };
  return { media: { open: () => Promise.resolve(reply) } } as unknown as Client;
}

/** An archive that lacks one attachment. */
function archiveWithout(size: number): Archive {
  const messages = {
    async *missingMedia() {
      yield await Promise.resolve({ pk: 1, id: '1', uri: '/content/1', contentType: 'audio/mpeg', size });
    },
    saveMedia: () => Promise.resolve(),
    mediaGarbage: () => Promise.resolve([]),
  };
  const media = { unfinished: temporaryFolder(), put: () => Promise.resolve() };
  return { messages, media } as unknown as Archive;
}

it('a worker sees the progress of an attachment that arrives slowly', async () => {
  const ctx = {
    settings: { retry: { value: 0 } },
    sleep: () => Promise.resolve(),
  } as unknown as Context;
  let progress = 0;
  const seen: number[] = [];
  const pieces = 4;
  const counts = await runTask(
    ctx,
    () => archiveWithout(pieces),
    { kind: 'media', subject: '1', label: '101', taskId: 1, onDelete: 'keep', fence: 1, attempts: 1 },
    {
      session: fakeSession('default', { api: slowService(pieces, () => seen.push(progress)) }),
      signal: new AbortController().signal,
      progress: () => {
        progress += 1;
      },
      guard: () => Promise.resolve(),
    },
  );
  expect(counts).toMatchObject({ media: 1 });
  const [first = 0] = seen;
  expect(seen).toEqual([first, first + 1, first + 2]);
});
