import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startListener } from '../../../scripts/proofs/listener-process.ts';
import { postEvent } from '../../../scripts/proofs/post-event.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { eventually } from '../../support/eventually.ts';

/** Where a system does not let a file be read through the descriptor that is written to, an event may be shown twice (ADR 19). */
const isReadable = existsSync('/proc/self/fd/1');

/** A listener that shows events in a file, killed after it has shown one; `between` makes of what it left the state of an earlier kill. */
async function killedAndStartedAgain(between: (place: { cursor: string; shown: string }) => void) {
  const folder = temporaryFolder();
  const shown = join(folder, 'shown.ndjson');
  const out = openSync(shown, 'a');
  onTestFinished(() => closeSync(out));
  const send = async (url: string, uuid: string): Promise<void> => {
    expect(await postEvent(url, uuid)).toMatchObject({ status: 200 });
    await eventually(() => expect(readFileSync(shown, 'utf8')).toContain(uuid));
  };
  const uuids = (): readonly string[] =>
    readFileSync(shown, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { uuid: string }).uuid);
  const first = await startListener(folder, out);
  await send(first.url, 'first');
  // The listener shows an event before it stores the position.
  const cursor = await eventually(() => cursorIn(join(folder, 'inbox')));
  const before = readFileSync(cursor);
  await send(first.url, 'second');
  await eventually(() => expect(readFileSync(cursor)).not.toEqual(before));
  await first.kill();
  writeFileSync(cursor, before);
  between({ cursor, shown });
  const second = await startListener(folder, out);
  await send(second.url, 'third');
  await second.stop();
  return uuids();
}

function cursorIn(folder: string): string {
  const name = readdirSync(folder).find((entry) => entry.endsWith('.output.cursor'));
  if (name === undefined) throw new Error(`no position in ${folder}`);
  return join(folder, name);
}

describe.skipIf(!isReadable)('a listener that writes events to a file and is killed', () => {
  test('between the line and the cursor, writes the event once', async () => {
    expect(await killedAndStartedAgain(() => undefined)).toEqual(['first', 'second', 'third']);
  });

  test('within the line, completes the line', async () => {
    const uuids = await killedAndStartedAgain(({ shown }) =>
      truncateSync(shown, readFileSync(shown).length - 9),
    );
    expect(uuids).toEqual(['first', 'second', 'third']);
  });

  test('before the line, writes the event', async () => {
    const uuids = await killedAndStartedAgain(({ shown }) => {
      const text = readFileSync(shown);
      truncateSync(shown, text.subarray(0, -1).lastIndexOf(0x0a) + 1);
    });
    expect(uuids).toEqual(['first', 'second', 'third']);
  });
});
