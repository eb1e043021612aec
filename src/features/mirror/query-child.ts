/**
 * Runs one read-only statement in a separate process, which can be killed: SQLite does not return while it searches for the
 * next row. The request is on stdin, because other users can read the command line of a process. The rows are on stdout.
 */
import { readSync, writeSync } from 'node:fs';
import { databaseProblemOf, isOfSqlite } from '../../platform/database-error.ts';
import { ownProcess } from '../../platform/own-process.ts';
import { openReadOnly } from '../../platform/sqlite/read-only.ts';
import {
  bytesOfPacket,
  contentOf,
  packetOf,
  lengthBytes,
  type QueryFailure,
  type QueryPacket,
  type QueryRequest,
} from './query-packets.ts';
import { rowsOf } from './statement-rows.ts';

const [stdin, stdout] = [0, 1];

/** Rows in one packet. */
const rowsAtOnce = 200;

function readRequest(): QueryRequest {
  const length = readExactly(lengthBytes);
  return contentOf(Buffer.concat([length, readExactly(bytesOfPacket(length) - lengthBytes)])) as QueryRequest;
}

function readExactly(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let done = 0; done < count;) {
    const read = readSync(stdin, bytes, done, count - done, null);
    if (read === 0) throw new RangeError('the request is incomplete');
    done += read;
  }
  return bytes;
}

/** Waits until the other process has read enough, because stdout is a pipe that blocks. */
function send(packet: QueryPacket): void {
  let rest = packetOf(packet);
  while (rest.length > 0) rest = rest.subarray(writeSync(stdout, rest));
}

function run({ file, statement }: QueryRequest): void {
  const db = openReadOnly(file);
  const { columns, rows } = rowsOf(db, statement);
  send({ kind: 'columns', columns });
  let batch: Readonly<Record<string, unknown>>[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < rowsAtOnce) continue;
    send({ kind: 'rows', rows: batch });
    batch = [];
  }
  send({ kind: 'rows', rows: batch });
  send({ kind: 'end' });
}

function failureOf(error: unknown): QueryFailure {
  const { message, code } = error as NodeJS.ErrnoException;
  return {
    kind: 'error',
    message,
    code: isOfSqlite(error) ? code : undefined,
    problem: databaseProblemOf(error),
  };
}

const request = readRequest();
ownProcess.endWithInput();
try {
  run(request);
} catch (error) {
  send(failureOf(error));
}
