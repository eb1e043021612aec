import { Buffer } from 'node:buffer';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from '../../../platform/sqlite.ts';
import type { Continued, FileEncoder } from './encoder.ts';
import { fileEncoder, type FileFormat } from './formats.ts';
import { changedAfter, everyMessage, type ExportRow, type Selection } from './row.ts';
import { readExportState, saveExportState } from './state.ts';
import { makeFolder } from '../../../platform/make-folder.ts';

/** The report of one export. */
export interface ExportReport {
  readonly target: string;
  readonly format: string;
  readonly messages: number;
  /** Whether only changes since the previous export were written. */
  readonly incremental: boolean;
}

/**
 * Writes messages into one file, oldest first. If the file contains an earlier export, changes are appended, so the
 * last line for an id is current. The incomplete end of an interrupted export is removed first.
 * @throws {OtherSelectionError} the previous export selected other messages.
 */
export async function exportFile(
  db: Database,
  database: string,
  settings: {
    readonly target: string;
    readonly format: FileFormat;
    readonly fresh: boolean;
    readonly chosen?: Selection;
  },
): Promise<ExportReport> {
  const { target, format, chosen = everyMessage } = settings;
  const { filter } = chosen;
  const state = settings.fresh ? undefined : readExportState(db, { target, format, filter });
  makeFolder(dirname(target));
  const continued = state && (await sizeOf(target)) >= state.bytes ? state : undefined;
  const runId = latestRun(db);
  const file = await open(target, continued ? 'r+' : 'w', 0o600);
  try {
    if (continued) await file.truncate(continued.bytes);
    const encoder = await fileEncoder(format, { db, database }, continued && earlier(file, continued.bytes));
    const rows = changedAfter(db, continued?.runId ?? 0, chosen);
    const { messages, bytes } = await writeRows(file, encoder, rows, continued?.bytes);
    await file.sync();
    saveExportState(db, { target, format, filter, runId, bytes });
    return { target, format, messages, incremental: continued !== undefined };
  } finally {
    await file.close();
  }
}

/** The size of a file; -1 if it does not exist. */
function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => -1,
  );
}

/** Appends rows to a file of `from` bytes. `from` is undefined for a new file, whose end is written even without rows. */
async function writeRows(
  file: FileHandle,
  encoder: FileEncoder,
  rows: Iterable<ExportRow>,
  from: number | undefined,
): Promise<{ readonly messages: number; readonly bytes: number }> {
  let position = from ?? 0;
  let messages = 0;
  const write = async (bytes: Uint8Array): Promise<void> => {
    await file.write(bytes, 0, bytes.length, position);
    position += bytes.length;
  };
  for (const row of rows) {
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

/** The latest run whose changes this export includes. */
export function latestRun(db: Database): number {
  const { n } = db.prepare('SELECT coalesce(max(changed_in), 0) AS n FROM message').get() as {
    readonly n: number;
  };
  return n;
}
