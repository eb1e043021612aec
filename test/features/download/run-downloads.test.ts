import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Client, HttpReply } from '../../../src/client/index.ts';
import { FileNames, runDownloads, type FileUnderWay } from '../../../src/features/download/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { eventually } from '../../support/eventually.ts';

/** Answers an address when the test says so; the body is the address. */
class Media {
  readonly #waiting = new Map<string, () => void>();

  readonly api: Pick<Client, 'media'> = {
    media: {
      open: (uri: string) =>
        new Promise<HttpReply>((resolve) => {
          this.#waiting.set(uri, () => resolve(replyOf(uri)));
        }),
    } as unknown as Client['media'],
  };

  isAsked(uri: string): boolean {
    return this.#waiting.has(uri);
  }

  answer(uri: string): void {
    this.#waiting.get(uri)?.();
  }
}

async function answerTo(media: Media, uri: string): Promise<void> {
  await eventually(() => expect(media.isAsked(uri)).toBe(true));
  media.answer(uri);
}

function replyOf(uri: string): HttpReply {
  const body = Buffer.from(uri);
  const headers: Readonly<Record<string, string>> = {
    'content-type': 'text/plain',
    'content-length': String(body.length),
  };
  return {
    status: 200,
    header: (name) => headers[name],
    text: () => Promise.resolve(uri),
    bytes: async function* bytes() {
      yield body;
    },
    discard: () => Promise.resolve(),
  };
}

/** Downloads three things that want the same name; their answers come in the given order. */
async function filesIn(order: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const media = new Media();
  const folder = temporaryFolder();
  const items = ['one', 'two', 'three'].map((uri) => ({ uri, id: '7', kind: 'content' }));
  const outcomes = runDownloads(items, {
    api: media.api,
    folder,
    names: new FileNames('same.{ext}'),
    existing: 'fail',
    wantsChecksum: false,
    concurrency: 3,
    connections: 1,
    retries: 4,
    signal: new AbortController().signal,
    sleep: () => Promise.resolve(),
    elapsed: () => 0,
  });
  const answered = (async () => {
    for (const uri of order) await answerTo(media, uri);
  })();
  const names: string[] = [];
  for await (const { fetched, error } of outcomes) {
    expect(error).toBeUndefined();
    if (fetched) names.push(fetched.file);
  }
  await answered;
  return Object.fromEntries(names.map((file) => [readFileSync(file, 'utf8'), file.slice(folder.length + 1)]));
}

describe('several downloads', () => {
  it('give the same names to the same items, whatever the order of replies', async () => {
    const orders = [
      ['one', 'two', 'three'],
      ['three', 'two', 'one'],
      ['two', 'three', 'one'],
    ];
    for (const order of orders) {
      expect(await filesIn(order)).toEqual({ one: 'same.txt', two: 'same-7.txt', three: 'same-2.txt' });
    }
  });

  it('report the progress of each file', async () => {
    const media = new Media();
    const folder = temporaryFolder();
    const seen: FileUnderWay[] = [];
    const outcomes = runDownloads([{ uri: 'some bytes', id: '1', kind: 'content' }], {
      api: media.api,
      folder,
      names: new FileNames(),
      existing: 'fail',
      wantsChecksum: false,
      concurrency: 1,
      connections: 1,
      retries: 4,
      signal: new AbortController().signal,
      sleep: () => Promise.resolve(),
      elapsed: () => 0,
      onBytes: (_count, underWay) => seen.push(...underWay),
    });
    const all = outcomes.next();
    await answerTo(media, 'some bytes');
    expect((await all).value).toMatchObject({ fetched: { file: join(folder, 'content-1.txt') } });
    expect(seen).toEqual([{ name: 'content-1.txt', received: expect.any(Number), total: 10 }]);
  });
});
