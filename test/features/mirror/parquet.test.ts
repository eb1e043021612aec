import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { exportFile } from '../../../src/features/mirror/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { message, newMirror, replies, replyText, sourceOf, sync } from './replies.ts';

const hostile = 'line one\r\n"quoted", <b> Grüße 😀 ÿ'.repeat(3);

async function copied(...records: readonly object[]) {
  const { db, file } = newMirror();
  await sync(db, replies(replyText(records)).open);
  const target = join(temporaryFolder(), 'm.parquet');
  return {
    db,
    target,
    write: (fresh = false) => exportFile(sourceOf(db, file), { target, format: 'parquet', fresh }),
  };
}

function bytesOf(file: string): ArrayBuffer {
  const bytes = readFileSync(file);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

function read(file: string): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: bytesOf(file) });
}

describe('an export as parquet', () => {
  it('marks its times as UTC, so that readers do not take them for local times', async () => {
    const { target, write } = await copied(message(1));
    await write();
    const { schema } = parquetMetadata(bytesOf(target));
    const times = schema.filter(({ name }) => name.endsWith('_time'));
    expect(times.map(({ logical_type: type }) => type)).toEqual([
      { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
      { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    ]);
  });

  it('is read by another library with types: times are times, absent values are null', async () => {
    const attachment = { id: 9, uri: 'https://service.example/content/9', contentType: 'image/png' };
    const second = message(12_345_678_901, { attachments: [attachment], conversationId: 5 });
    const { target, write } = await copied(message(1, { subject: hostile, lastModifiedTime: null }), second);
    expect(await write()).toMatchObject({ messages: 2, incremental: false });
    const [first, other] = await read(target);
    expect(first).toMatchObject({
      id: '1',
      creation_time: new Date('2026-01-05T09:00:00.000Z'),
      from_number: '+15555550100',
      text: hostile,
      attachments: 0,
    });
    expect(first?.['conversation_id'] ?? null).toBeNull();
    expect(first?.['last_modified_time'] ?? null).toBeNull();
    expect(other).toMatchObject({ id: '12345678901', conversation_id: '5', attachments: 1 });
    expect(JSON.parse(String(other?.['raw']))).toEqual(second);
  });

  it('without messages is a file without rows', async () => {
    const { target, write } = await copied();
    await write();
    expect(await read(target)).toEqual([]);
  });

  it('continues where the last one ended, also after an interruption, and is a complete file at any time', async () => {
    const { db, target, write } = await copied(message(1), message(2));
    await write();
    const before = readFileSync(target);
    expect(await write()).toMatchObject({ messages: 0, incremental: true });
    expect(readFileSync(target).equals(before)).toBe(true);
    for (const [index, status] of ['Read', 'Unread', 'Read'].entries()) {
      const text = replyText(
        [
          message(2, { readStatus: status, lastModifiedTime: `2026-01-06T09:00:0${index}.000Z` }),
          message(3 + index),
        ],
        `token-${index}`,
      );
      await sync(db, replies(text).open);
      appendFileSync(target, 'half a row group');
      expect(await write()).toMatchObject({ messages: 2, incremental: true });
    }
    const rows = await read(target);
    expect(rows.map(({ id, read_status: status }) => `${String(id)} ${String(status)}`)).toEqual([
      '1 Unread',
      '2 Unread',
      '2 Read',
      '3 Unread',
      '2 Unread',
      '4 Unread',
      '2 Read',
      '5 Unread',
    ]);
    // The bounds by which readers skip row groups outlive being read and written again.
    const { row_groups: groups } = parquetMetadata(bytesOf(target));
    const index = groups[0]?.columns.findIndex(
      ({ meta_data: data }) => data?.path_in_schema[0] === 'creation_time',
    );
    const bounds = groups.map(({ columns }) => columns[index ?? -1]?.meta_data?.statistics?.min_value);
    expect(bounds).toEqual(groups.map(() => new Date('2026-01-05T09:00:00.000Z')));
    const grown = statSync(target).size;
    await write(true);
    expect(statSync(target).size).toBeLessThan(grown);
    expect(await read(target)).toHaveLength(5);
  });

  it('is written in row groups, of which memory contains one at a time', async () => {
    const many = Array.from({ length: 5001 }, (_, index) =>
      message(1000 + index, { subject: hostile.repeat(6) }),
    );
    const { target, write } = await copied(...many);
    await write();
    const { row_groups: groups } = parquetMetadata(bytesOf(target));
    expect(groups.length).toBeGreaterThan(1);
    const rows = await read(target);
    expect(rows.map(({ id }) => id)).toEqual(many.map(({ id }) => String(id)));
  });
});
