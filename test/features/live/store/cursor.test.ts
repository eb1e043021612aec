import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Inbox, readNotification } from '../../../../src/features/live/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const name = 'a:output';

function open(folder: string): Inbox {
  const inbox = Inbox.open(folder, 'work', () => 0);
  onTestFinished(() => inbox.close());
  return inbox;
}

async function fill(inbox: Inbox, many: number): Promise<void> {
  const accepted: Promise<unknown>[] = [];
  for (let index = 0; index < many; index += 1) {
    const event = readNotification(JSON.stringify({ uuid: `${inbox.last()}-${index}`, event: '/x' }));
    if (event) accepted.push(inbox.accept(event, 'a', 'webhook'));
  }
  await Promise.all(accepted);
}

/** What the reader of `name` gets next, and the one after that; the cursor is behind the first then. */
async function readOne(inbox: Inbox): Promise<number> {
  const reading = inbox.read('a', name, new AbortController().signal);
  const first = await reading.next();
  await reading.next();
  return first.value?.id ?? 0;
}

function cursorFile(folder: string): string {
  return join(folder, 'inbox', 'work.a.output.cursor');
}

describe('the cursor of a reader', () => {
  it('is stored in the database if its file cannot be written', async () => {
    const folder = temporaryFolder();
    const inbox = open(folder);
    await fill(inbox, 2);
    mkdirSync(cursorFile(folder));
    expect(await readOne(inbox)).toBe(1);
    expect(open(folder).cursor(name).position).toBe(1);
  });

  it('is in a file after each event, so that a kill does not lose it', async () => {
    const folder = temporaryFolder();
    const inbox = open(folder);
    await fill(inbox, 3);
    expect(await readOne(inbox)).toBe(1);
    // The generator was neither ended nor the inbox closed: as after a kill.
    expect(open(folder).cursor(name).position).toBe(1);
    const { mode, size } = statSync(cursorFile(folder));
    expect([mode & 0o777, size]).toEqual([0o600, 54]);
  });

  it('is at most a thousand events behind if its file is lost', async () => {
    const folder = temporaryFolder();
    const inbox = open(folder);
    await fill(inbox, 1500);
    const reading = inbox.read('a', name, new AbortController().signal);
    for (let one = 0; one < 1400; one += 1) await reading.next();
    rmSync(cursorFile(folder));
    expect(open(folder).cursor(name).position).toBe(1000);
  });

  it('is in the database when the reader stops', async () => {
    const folder = temporaryFolder();
    const inbox = open(folder);
    await fill(inbox, 2);
    const stop = new AbortController();
    stop.abort();
    for await (const _ of inbox.read('a', name, stop.signal));
    rmSync(cursorFile(folder));
    expect(open(folder).cursor(name)).toMatchObject({ isKnown: true, position: 2 });
  });

  it('ignores the file of a former inbox', async () => {
    const folder = temporaryFolder();
    const before = Inbox.open(folder, 'work', () => 0);
    await fill(before, 5);
    before.moveToEnd(name);
    before.close();
    for (const file of readdirSync(join(folder, 'inbox')))
      if (!file.endsWith('.cursor')) rmSync(join(folder, 'inbox', file));
    const reopened = open(folder);
    await fill(reopened, 9);
    expect(readFileSync(cursorFile(folder), 'latin1')).toMatch(/ 0{15}5\n$/);
    expect(reopened.cursor(name)).toMatchObject({ isKnown: false, position: 0 });
  });

  it('ignores a file that is ahead of a restored database', async () => {
    const folder = temporaryFolder();
    const inbox = open(folder);
    await fill(inbox, 2);
    inbox.moveToEnd(name);
    const written = readFileSync(cursorFile(folder), 'latin1');
    writeFileSync(cursorFile(folder), written.replace('2\n', '5\n'));
    expect(open(folder).cursor(name).position).toBe(2);
  });
});

describe('reading under load', () => {
  it('waits while notifications are accepted, but not forever', async () => {
    const inbox = open(temporaryFolder());
    await fill(inbox, 1);
    const reading = inbox.read('a', name, new AbortController().signal).next();
    const state = { isShown: false };
    void reading.then(() => (state.isShown = true));
    let rounds = 0;
    for (; !state.isShown && rounds < 1000; rounds += 1) await fill(inbox, 1);
    expect((await reading).value).toMatchObject({ id: 1 });
    expect(rounds).toBeGreaterThan(8);
    expect(rounds).toBeLessThan(100);
  });
});
