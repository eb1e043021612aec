import { mkdir, open, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from '../../../platform/sqlite.ts';
import { fileWriter, type FileFormat } from './formats.ts';
import { changedAfter } from './row.ts';
import { readExportState, saveExportState } from './state.ts';

/** What one export wrote. */
export interface ExportReport {
  readonly target: string;
  readonly format: string;
  readonly messages: number;
  /** Only what changed since the export before. */
  readonly incremental: boolean;
}

/** Text that is written at once. */
const blockSize = 256 * 1024;

/**
 * Writes messages into one file, oldest first. A file that the export before wrote is continued: what changed since comes after it, so that
 * the last line about an id counts. What an interrupted export left is cut off first.
 */
export async function exportFile(
  db: Database,
  database: string,
  settings: { readonly target: string; readonly format: FileFormat; readonly fresh: boolean },
): Promise<ExportReport> {
  const { target, format } = settings;
  await mkdir(dirname(target), { recursive: true });
  const size = await stat(target).then(
    (found) => found.size,
    () => undefined,
  );
  const state = settings.fresh ? undefined : readExportState(db, target, format);
  const continued = state !== undefined && size !== undefined && size >= state.bytes ? state : undefined;
  const runId = latestRun(db);
  const file = await open(target, continued ? 'r+' : 'w', 0o600);
  try {
    if (continued) await file.truncate(continued.bytes);
    const writer = fileWriter(format, db, database);
    let position = continued?.bytes ?? 0;
    let messages = 0;
    let block = continued ? '' : writer.head;
    const flush = async (): Promise<void> => {
      const bytes = Buffer.from(block);
      await file.write(bytes, 0, bytes.length, position);
      position += bytes.length;
      block = '';
    };
    for (const row of changedAfter(db, continued?.runId ?? 0)) {
      block += await writer.piece(row);
      messages += 1;
      if (block.length >= blockSize) await flush();
    }
    await flush();
    await file.sync();
    saveExportState(db, { target, format, runId, bytes: position });
    return { target, format, messages, incremental: continued !== undefined };
  } finally {
    await file.close();
  }
}

/** The last change that this export holds. */
export function latestRun(db: Database): number {
  const { n } = db.prepare('SELECT coalesce(max(changed_in), 0) AS n FROM message').get() as {
    readonly n: number;
  };
  return n;
}
