import { describe, expect, it } from 'vitest';
import type { Client, HttpReply, RequestOptions } from '../../../src/client/index.ts';
import { runTask, type TaskResources } from '../../../src/commands/fleet/run-task.ts';
import { MediaFileError, policyOfTasks } from '../../../src/features/mirror/index.ts';
import type { TaskWork } from '../../../src/features/fleet/index.ts';
import type { Context } from '../../../src/runtime/context.ts';
import type { Archive } from '../../../src/store/archive.ts';
import type { KnownExtension } from '../../../src/store/call-store.ts';
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
    saveMedia: () => Promise.resolve('saved'),
    mediaGarbage: () => Promise.resolve([]),
  };
  const media = { unfinished: temporaryFolder(), put: () => Promise.resolve() };
  return { messages, media } as unknown as Archive;
}

/** The values of a task whose progress a test counts. */
function attempt(api: Client) {
  const seen = { progress: 0 };
  const work: TaskWork = {
    session: fakeSession('default', { api }),
    signal: new AbortController().signal,
    progress: () => {
      seen.progress += 1;
    },
    onWait: () => undefined,
    guard: () => Promise.resolve(),
  };
  return { seen, work };
}

function resourcesOf(archive: Archive): TaskResources {
  return { open: () => archive, policyOf: policyOfTasks(() => 0) };
}

const task = { subject: '1', label: '101', taskId: 1, onDelete: 'keep', fence: 1, attempts: 1 } as const;

it('copies the attachments of a task although an unused file cannot be deleted', async () => {
  const warnings: string[] = [];
  const ctx = {
    settings: { retry: { value: 0 } },
    sleep: () => Promise.resolve(),
    elapsed: () => 0,
    out: { warn: (text: string) => warnings.push(text) },
  } as unknown as Context;
  const { messages, media } = archiveWithout(1);
  Object.assign(messages, {
    mediaGarbage: () => Promise.resolve(['unused']),
    deleteGarbage: (_: string, remove: () => Promise<void>) => remove(),
  });
  const cause = Object.assign(new Error('not permitted'), { code: 'EPERM' });
  Object.assign(media, { remove: () => Promise.reject(new MediaFileError('/media/unused', cause)) });
  const { work } = attempt(slowService(1, () => undefined));
  const counts = await runTask(
    ctx,
    resourcesOf({ messages, media } as Archive),
    { ...task, kind: 'media' },
    work,
  );
  expect(counts).toMatchObject({ media: 1 });
  expect(warnings).toEqual(['could not delete an unused attachment: /media/unused: permission denied']);
});

describe('the progress of a task', () => {
  it('includes the pieces of an attachment', async () => {
    const ctx = {
      settings: { retry: { value: 0 } },
      sleep: () => Promise.resolve(),
      elapsed: () => 0,
    } as unknown as Context;
    const pieces = 4;
    const progress: number[] = [];
    const { seen, work } = attempt(slowService(pieces, () => progress.push(seen.progress)));
    const counts = await runTask(ctx, resourcesOf(archiveWithout(pieces)), { ...task, kind: 'media' }, work);
    expect(counts).toMatchObject({ media: 1 });
    const [first = 0] = progress;
    expect(progress).toEqual([first, first + 1, first + 2]);
  });

  it.each(['messages', 'calls', 'media'] as const)(
    'includes the waits of each request for %s',
    async (kind) => {
      const settings = { retry: { value: 0 }, dialect: { value: 'spec' } };
      const ctx = { settings, now: () => 0, elapsed: () => 0 } as unknown as Context;
      const requests: (readonly [string, RequestOptions['onWait']])[] = [];
      const sent = (name: string, options: RequestOptions | undefined): void => {
        requests.push([name, options?.onWait]);
      };
      const api = {
        callLog: {
          async *list(_scope: string, _filter: object, options: RequestOptions) {
            sent('list', options);
            yield* [];
          },
          async get(_scope: string, _ids: readonly string[], _view: string, options: RequestOptions) {
            sent('get', options);
            return await Promise.resolve([undefined]);
          },
        },
        extensions: {
          async *list(_filter: object, options: RequestOptions) {
            sent('extensions', options);
            yield* [];
          },
        },
        media: {
          open(_uri: string, options: RequestOptions) {
            sent('media', options);
            return slowService(4, () => undefined).media.open('');
          },
        },
        messages: {
          openSync(_request: object, _extensionId: string, options: RequestOptions) {
            sent('messages', options);
            return slowService(4, () => undefined).media.open('');
          },
        },
      } as unknown as Client;
      const { work } = attempt(api);
      const counts = { received: 0, added: 0, changed: 0, unchanged: 0, erased: 0 };
      const archive = {
        ...archiveWithout(4),
        calls: {
          prepare: () => Promise.resolve(),
          stream: () => Promise.resolve(undefined),
          apply: () => Promise.resolve(counts),
          unfinished: () => Promise.resolve([{ id: '1', startTime: 0 }]),
          saveExtensions: () => Promise.resolve(),
        },
      } as unknown as Archive;
      Object.assign(archive.messages, {
        erasedNumbers: () => Promise.resolve(() => false),
        onDelete: () => Promise.resolve(undefined),
        taskPolicies: () => Promise.resolve([]),
        openStream: () => Promise.resolve({ extensionId: '1', dateFrom: '2026-01-01T00:00:00Z' }),
        apply: () => Promise.resolve({ counts, info: {} }),
      });
      await runTask(ctx, resourcesOf(archive), { ...task, kind }, work);
      const names = { messages: ['messages'], calls: ['list', 'get', 'extensions'], media: ['media'] }[kind];
      expect(requests).toEqual(names.map((name) => [name, work.onWait]));
    },
  );

  it('includes the pages of the extensions of a large company', async () => {
    const ctx = { now: () => 0 } as unknown as Context;
    const progress: number[] = [];
    const api = {
      callLog: { async *list() {}, get: () => Promise.resolve([]) },
      extensions: {
        async *list(_filter: object, { onReply }: RequestOptions) {
          for (const id of [1, 2, 3]) {
            progress.push(seen.progress);
            onReply?.({ requestId: undefined, date: undefined, receivedAt: 0 });
            yield await Promise.resolve({ id, type: 'User' });
          }
        },
      },
    } as unknown as Client;
    const { seen, work } = attempt(api);
    const saved: KnownExtension[] = [];
    const calls = {
      prepare: () => Promise.resolve(),
      stream: () => Promise.resolve(undefined),
      apply: () => Promise.resolve({ received: 0, added: 0, changed: 0, unchanged: 0, erased: 0 }),
      unfinished: () => Promise.resolve([]),
      saveExtensions: (known: readonly KnownExtension[]) => Promise.resolve(void saved.push(...known)),
    };
    const messages = { erasedNumbers: () => Promise.resolve(() => false) };
    await runTask(
      ctx,
      resourcesOf({ messages, calls } as unknown as Archive),
      { ...task, kind: 'calls' },
      work,
    );
    expect(saved.map(({ id, name }) => [id, name])).toEqual([
      ['1', '1'],
      ['2', '2'],
      ['3', '3'],
    ]);
    expect(progress).toEqual([0, 1, 2]);
  });
});
