import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { insertRow } from '../../../platform/named-statement.ts';
import { deleteFileSync } from '../../../platform/delete-file.ts';
import { databaseProblemOf } from '../../../platform/database-error.ts';
import type { Database } from '../../../platform/sqlite.ts';

export interface CursorPlace {
  /** A database connection with synchronous = NORMAL. */
  readonly db: Database;
  /** Unique name of the inbox. A new inbox at the same path has a different name. */
  readonly inboxName: string;
  /** Path of the cursor file. */
  readonly file: string;
}

/** Number of moves between two writes to the database. */
const databaseInterval = 1000;

/**
 * The position of one reader in the inbox. Each move is one small write to a file, which survives a kill of the process
 * and costs a tenth of a transaction. The position is also written to the database every `databaseInterval` moves and
 * when the reader stops. A power failure may reset the position to the position in the database. Events are then read
 * again, but no event is lost (docs/adr/0019-cursor-file.md).
 */
export class Cursor {
  readonly #place: CursorPlace;
  readonly #name: string;
  #isKnown: boolean;
  #position: number;
  #unsavedMoves = 0;
  #file: number | undefined;

  constructor(place: CursorPlace, name: string) {
    this.#place = place;
    this.#name = name;
    const row = place.db.prepare('SELECT position FROM cursor WHERE name = ?').get(name) as
      | { position: number }
      | undefined;
    const fromFile = this.#readFile();
    this.#isKnown = fromFile !== undefined || row !== undefined;
    this.#position = Math.max(fromFile ?? 0, row?.position ?? 0);
  }

  /** Whether a position of the reader is stored. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** ID of the last event that the reader has processed; 0 before the first event. */
  get position(): number {
    return this.#position;
  }

  move(position: number): void {
    this.#position = position;
    this.#isKnown = true;
    this.#unsavedMoves += 1;
    try {
      this.#write(position);
    } catch (error) {
      if (!databaseProblemOf(error)) throw error;
      // A full disk must not end the run. Copy-on-write file systems need space even to overwrite; the
      // database may still have free space, so the position is written there next.
      this.#unsavedMoves = databaseInterval;
    }
    if (this.#unsavedMoves >= databaseInterval) this.saveToDatabase();
  }

  #write(position: number): void {
    this.#file ??= openSync(this.#place.file, constants.O_CREAT | constants.O_WRONLY, 0o600);
    // The text has a fixed length, so that each write replaces the previous text completely.
    writeSync(this.#file, `${this.#place.inboxName} ${String(position).padStart(16, '0')}\n`, 0);
  }

  /**
   * Writes the position to the database. A failure, such as a full disk, is ignored, because the file contains the
   * position and a later write follows.
   */
  saveToDatabase(): void {
    if (this.#unsavedMoves === 0) return;
    try {
      const row = { name: this.#name, position: this.#position };
      insertRow(this.#place.db, 'cursor', row, 'ON CONFLICT DO UPDATE SET position = excluded.position');
      this.#unsavedMoves = 0;
    } catch (error) {
      if (!databaseProblemOf(error)) throw error;
    }
  }

  /** Deletes the position of the reader. */
  forget(): void {
    this.close();
    this.#place.db.prepare('DELETE FROM cursor WHERE name = ?').run(this.#name);
    deleteFileSync(this.#place.file);
    this.#isKnown = false;
    this.#position = 0;
  }

  close(): void {
    this.saveToDatabase();
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /**
   * Returns the position in the file; undefined if the file belongs to another inbox, or is ahead of a restored
   * database.
   */
  #readFile(): number | undefined {
    const [, inboxName, digits] = /^(\S+) (\d{16})\n$/.exec(textOf(this.#place.file)) ?? [];
    if (inboxName !== this.#place.inboxName) return undefined;
    const newest = this.#place.db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'event'").get() as
      | { seq: number }
      | undefined;
    const position = Number(digits);
    return position <= (newest?.seq ?? 0) ? position : undefined;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
