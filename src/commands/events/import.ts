import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readNotification, type Received } from '../../features/inbox/index.ts';
import { fileTrouble } from '../../platform/file-trouble.ts';
import { parseJson, stringifyJson } from '../../platform/json.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../runtime/errors.ts';
import type { View } from '../../runtime/output.ts';
import { withInbox } from './with-inbox.ts';

export interface EventsImportOptions {
  readonly file: string;
}

interface Imported {
  readonly added: number;
  readonly known: number;
}

const view: View<Imported> = {
  columns: [
    { key: 'added', title: 'ADDED', kind: 'number', value: (row) => row.added },
    { key: 'known', title: 'KNOWN', kind: 'number', value: (row) => row.known },
  ],
};

/** `events import FILE|-`: events of an export, or bare notifications, one a line. Nothing is added unless every line can be read. */
export async function importEvents(ctx: Context, { file }: EventsImportOptions): Promise<void> {
  const lines = (await readLines(ctx, file)).map((line, index) => ({ line, number: index + 1 }));
  const events = lines
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => {
      const received = readLine(line);
      if (!received)
        throw usageError(`${file}:${number}: no event`, 'one event a line, as events export writes them');
      return received;
    });
  await withInbox(ctx, async (inbox) => {
    const results = await Promise.all(events.map((event) => inbox.accept(event, 'import', 'import')));
    const added = results.filter((result) => result === 'new').length;
    await ctx.out.record({ added, known: results.length - added }, view);
  });
}

async function readLines(ctx: Context, file: string): Promise<readonly string[]> {
  try {
    const text = file === '-' ? await ctx.input.text() : await readFile(resolve(ctx.cwd, file), 'utf8');
    return text.split('\n');
  } catch (cause) {
    throw new CommandError('unreadable_file', Exit.usage, `cannot read ${file}: ${fileTrouble(cause)}`, {
      hint: 'check the path, or give - for standard input',
      cause,
    });
  }
}

/** What the inbox adds to a notification is left out again. */
function readLine(line: string): Received | undefined {
  try {
    const value = parseJson(line) as Record<string, unknown>;
    const {
      id: _id,
      receivedAt: _receivedAt,
      receiver: _receiver,
      origin: _origin,
      recovered: _recovered,
      ...event
    } = value;
    if (typeof event['sealed'] === 'string') return readNotification(JSON.stringify(event['sealed']));
    return readNotification(stringifyJson(event));
  } catch {
    return undefined;
  }
}
