import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { troubleOf } from '../../../platform/database-error.ts';
import type { Database } from '../../../platform/sqlite.ts';

export interface CursorPlace {
  /** A connection that does not wait for the disk. */
  readonly db: Database;
  /** Name of the inbox, which no other has, not even a later one in the same place. */
  readonly inboxName: string;
  /** The cursor's own file. */
  readonly file: string;
}

/** Moves between two times that the database learns of. */
const settleEvery = 1000;

/**
 * Where one reader stands in the inbox. Each move is one small write to a file of its own, which outlives a kill of the process and costs a
 * tenth of a transaction; the database learns of it now and then, and at the end. A power cut may take the file back to that; then so many
 * events are read again, and none is lost (docs/adr/0019-cursor-file.md).
 */
export class Cursor {
  readonly #place: CursorPlace;
  readonly #name: string;
  #isKnown: boolean;
  #position: number;
  #unsettled = 0;
  #file: number | undefined;

  constructor(place: CursorPlace, name: string) {
    this.#place = place;
    this.#name = name;
    const row = place.db.prepare('SELECT position FROM cursor WHERE name = ?').get(name) as
      | { position: number }
      | undefined;
    const written = this.#written();
    this.#isKnown = written !== undefined || row !== undefined;
    this.#position = Math.max(written ?? 0, row?.position ?? 0);
  }

  /** Whether it stands anywhere. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Id of the last event that its reader is done with; 0 before the first. */
  get position(): number {
    return this.#position;
  }

  move(position: number): void {
    this.#position = position;
    this.#isKnown = true;
    this.#unsettled += 1;
    try {
      this.#write(position);
    } catch (error) {
      if (!troubleOf(error)) throw error;
      // A full disk ends no listener. Copying file systems need room also for as much as was there; the database may have some.
      this.#unsettled = settleEvery;
    }
    if (this.#unsettled >= settleEvery) this.settle();
  }

  #write(position: number): void {
    this.#file ??= openSync(this.#place.file, constants.O_CREAT | constants.O_WRONLY, 0o600);
    // As long each time, so that a write replaces the one before it whole.
    writeSync(this.#file, `${this.#place.inboxName} ${String(position).padStart(16, '0')}\n`, 0);
  }

  /** Lets the database know; where it takes nothing, such as on a full disk, another time: the file says the same, where it could be written. */
  settle(): void {
    if (this.#unsettled === 0) return;
    try {
      this.#place.db
        .prepare(
          'INSERT INTO cursor (name, position) VALUES (?, ?) ON CONFLICT DO UPDATE SET position = excluded.position',
        )
        .run(this.#name, this.#position);
      this.#unsettled = 0;
    } catch (error) {
      if (!troubleOf(error)) throw error;
    }
  }

  /** As if it had never been anywhere. */
  forget(): void {
    this.close();
    this.#place.db.prepare('DELETE FROM cursor WHERE name = ?').run(this.#name);
    rmSync(this.#place.file, { force: true });
    this.#isKnown = false;
    this.#position = 0;
  }

  close(): void {
    this.settle();
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** What the file says; undefined when it is of another inbox, or of a later state of this one than what was put back. */
  #written(): number | undefined {
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
