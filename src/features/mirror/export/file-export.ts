import { Buffer } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ExportRow, ExportState, Selection } from '../../../store/export-row.ts';
import type { AuditEntry, Rows } from '../../../store/message-store.ts';
import { usageError } from '../../../errors/command.ts';
import type { Continued, FileEncoder } from './encoder.ts';
import { fileEncoder, type ExportSource, type FileSettings } from './formats.ts';
import { everyMessage } from './row.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { writeAll } from '../../../platform/write-all.ts';

/** The report of one export. */
export interface ExportReport {
  readonly target: string;
  readonly format: string;
  readonly messages: number;
  /** Whether only changes since the previous export were written. */
  readonly incremental: boolean;
}

/** Returns the line in the audit log for an export of this number of messages. */
export type LineOf = (messages: number) => AuditEntry;

/**
 * Writes messages into one file, oldest first. If the file contains an earlier export, changes are appended, so the
 * last line for an ID is current. The incomplete end of an interrupted export is removed first.
 * @throws {OtherSelectionError} if the previous export selected other messages. @throws {CommandError} `usage` if the file
 * has other content, unless `fresh` is true.
 */
export async function exportFile(
  archive: ExportSource,
  settings: FileSettings & {
    readonly target: string;
    readonly fresh: boolean;
    readonly chosen?: Selection;
    readonly lineOf?: LineOf;
  },
): Promise<ExportReport> {
  const { target, format, chosen = everyMessage } = settings;
  const place = { target, format, filter: chosen.filter };
  const { messages: store } = archive;
  const earlierState = settings.fresh ? undefined : await store.exportState(place);
  const continued = earlierState && (await isFileOf(earlierState)) ? earlierState : undefined;
  if (!settings.fresh && !continued) await requireReplaceable(place, earlierState);
  makeFolder(dirname(target));
  const runId = await store.position();
  const file = await open(target, continued ? 'r+' : 'w', 0o600);
  try {
    if (continued) await file.truncate(continued.bytes);
    // The next export recognizes the file, even if this export is interrupted.
    else await store.saveExportState({ ...place, runId: 0, bytes: 0, file: await identity(file) });
    const encoder = await fileEncoder(settings, archive, continued && earlier(file, continued.bytes));
    const rows = store.changedAfter(continued?.runId ?? 0, chosen);
    const { messages, bytes } = await writeRows(file, encoder, rows, continued?.bytes);
    await file.sync();
    const state = { ...place, runId, bytes, file: await identity(file) };
    await store.saveExportState(state, settings.lineOf?.(messages));
    return { target, format, messages, incremental: continued !== undefined };
  } finally {
    await file.close();
  }
}

/**
 * Checks that a file that no export can continue has no content, or only that of a first export that was interrupted.
 * @param state the state of the previous export. Its file was replaced or edited.
 */
async function requireReplaceable(
  { target, format }: Pick<ExportState, 'target' | 'format'>,
  state: ExportState | undefined,
): Promise<void> {
  const found = await stat(target, { bigint: true }).catch(() => undefined);
  if (!found?.size || (state?.bytes === 0 && state.file === identityOf(found))) return;
  throw usageError(
    state
      ? `${target} was replaced or edited after the previous export`
      : `${target} is not an export of this archive in format ${format}`,
    'specify another file with --to, or replace the file with --fresh; nothing was exported',
  );
}

/** Whether the target is the file that the previous export wrote, with at least its complete part. */
async function isFileOf(state: ExportState): Promise<boolean> {
  const { target, bytes, file } = state;
  const found = await stat(target, { bigint: true }).catch(() => undefined);
  if (found === undefined || found.size < bytes || bytes === 0) return false;
  return (file === undefined || file === identityOf(found)) && hasEnd(state);
}

/**
 * Whether the complete part of the file ends as every export does. If not, somebody has edited the file, and removing
 * the rest would cut a message.
 */
async function hasEnd({ target, format, bytes }: ExportState): Promise<boolean> {
  const end = Buffer.from(format === 'parquet' ? 'PAR1' : '\n');
  const file = await open(target, 'r');
  try {
    const found = Buffer.alloc(end.length);
    await file.read(found, 0, found.length, bytes - end.length);
    return found.equals(end);
  } finally {
    await file.close();
  }
}

/** Identifies a file, also on a shared folder. Another machine may have a file with the same number, but not of the same time. */
function identityOf({ ino, birthtimeNs }: BigIntStats): string {
  return `${ino} ${birthtimeNs}`;
}

async function identity(file: FileHandle): Promise<string> {
  return identityOf(await file.stat({ bigint: true }));
}

/**
 * Appends rows to a file of `from` bytes. `from` is undefined for a new file, whose end is written even without rows.
 */
async function writeRows(
  file: FileHandle,
  encoder: FileEncoder,
  rows: Rows<ExportRow>,
  from: number | undefined,
): Promise<{ readonly messages: number; readonly bytes: number }> {
  let position = from ?? 0;
  let messages = 0;
  const write = async (bytes: Uint8Array): Promise<void> => {
    await writeAll(file, bytes, position);
    position += bytes.length;
  };
  for await (const row of rows) {
    messages += 1;
    const ready = await encoder.add(row);
    if (ready) await write(ready);
  }
  if (from === undefined || messages > 0) await write(encoder.end());
  return { messages, bytes: position };
}

function earlier(file: FileHandle, bytes: number): Continued {
  return {
    bytes,
    read: async (position, length) => (await file.read(Buffer.alloc(length), 0, length, position)).buffer,
  };
}
