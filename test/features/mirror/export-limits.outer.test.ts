import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyMedia } from '../../../src/features/mirror/index.ts';
import { noBash, withBash } from '../../support/bash.ts';
import { startProcess, type Ended } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { givesMedia, mediaOf, message, messagesOf, newMirror, replies, replyText, sync } from './replies.ts';

/** Larger than the limit of a file, which is larger than the database. */
const content = 'pixels'.repeat(100_000);
const limitKilobytes = 400;

/** Exports a copy with one attachment, with or without a limit for the size of a file. */
async function exporter(format: string) {
  const { db, file } = newMirror();
  const uri = 'https://service.example/content/9';
  const attachments = [{ id: 9, uri, contentType: 'image/png' }];
  await sync(db, replies(replyText([message(1, { conversationId: 5, attachments })])).open);
  await copyMedia(messagesOf(db), mediaOf(file), '7', givesMedia(content));
  const target = join(temporaryFolder(), 'out');
  const run = (before: string): Promise<Ended> => {
    const command = `${before} exec "$0" bin/ucctl.cjs sync export --database '${file}' --format ${format} --to '${target}'`;
    const env = { HOME: temporaryFolder() };
    return startProcess('bash', ['-c', command, process.execPath], { env }).ended;
  };
  return {
    target,
    limited: () => run(`ulimit -f ${limitKilobytes};`),
    unlimited: () => run(''),
  };
}

describe.skipIf(noBash !== undefined)(`an export that reaches the maximum size of a file${withBash}`, () => {
  it('as mbox is not reported as complete', async () => {
    const { target, limited, unlimited } = await exporter('mbox');
    expect((await limited()).exit).toBe(12);
    expect((await unlimited()).exit).toBe(0);
    expect(statSync(target).size).toBeGreaterThan(content.length);
  });

  it('as html is completed by the next export', async () => {
    const { target, limited, unlimited } = await exporter('html');
    expect((await limited()).exit).toBe(12);
    expect((await unlimited()).exit).toBe(0);
    const [name = '', ...others] = readdirSync(join(target, 'media'));
    expect(others).toEqual([]);
    expect(readFileSync(join(target, 'media', name), 'utf8') === content).toBe(true);
  });
});
