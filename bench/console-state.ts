import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../src/platform/sqlite.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';
import { scaled } from './scaled.ts';

const messages = scaled(1_000_000, 1000);
const events = scaled(100_000, 1000);

/** Number of the outside number that wrote the message `message`; each is in one mailbox. */
export function senderOf(message: number): string {
  return `+1415${String(2_000_000 + message)}`;
}

/** The uuid of an event. */
export function uuidOf(event: number): string {
  return `bench-event-${String(event).padStart(7, '0')}`;
}

/**
 * Starts a sandbox with 10,000 extensions, 1,000,000 messages and 100,000 events. The rows are inserted into its
 * database, because the sandbox would need an hour to receive them.
 */
export async function startLargeSandbox(): Promise<SandboxProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-'));
  const file = join(folder, 'large.db');
  const args = ['--fixture', 'enterprise', '--rate-limits', 'off', '--db', file];
  await (await startSandboxProcess(args)).stop();
  fill(file);
  const sandbox = await startSandboxProcess(args);
  return {
    ...sandbox,
    async stop() {
      await sandbox.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function fill(file: string): void {
  const db = openDatabase(file);
  try {
    db.exec(`BEGIN;
      CREATE TEMP TABLE person AS SELECT row_number() OVER (ORDER BY id) - 1 AS n, id, extensionNumber FROM extension WHERE type = 'User';
      WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < ${messages})
      INSERT INTO message (id, extensionId, type, direction, availability, readStatus, messageStatus, priority, creationTime,
        lastModifiedTime, sender, recipients, subject, details, changeSequence)
      SELECT counter.n, person.id, 'SMS', 'Inbound', 'Alive', 'Read', 'Received', 'Normal', 1700000000000 + counter.n * 1000,
        1700000000000 + counter.n * 1000, '{"phoneNumber":"+1415' || (2000000 + counter.n) || '"}', '[{"phoneNumber":"+16505550112"}]',
        'Question ' || counter.n || ' about an order', '{}', 0
      FROM counter JOIN person ON person.n = counter.n % (SELECT count(*) FROM person);
      WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < ${events})
      INSERT INTO delivery (subscriptionId, transport, uuid, payload, createdAt, state, attempts, status, finishedAt)
      SELECT 'bench', 'WebHook', printf('bench-event-%07d', counter.n),
        '{"uuid":"' || printf('bench-event-%07d', counter.n) || '","event":"/restapi/v1.0/account/1/extension/' || person.id
          || '/presence","timestamp":"2026-01-05T09:00:00.000Z","subscriptionId":"bench","ownerId":"1","body":{"extensionId":' || person.id
          || ',"telephonyStatus":"NoCall","terminationType":"final","sequence":' || counter.n
          || ',"presenceStatus":"Busy","userStatus":"Busy","dndStatus":"TakeAllCalls","allowSeeMyPresence":true,"ringOnMonitoredCall":false,"pickUpCallsOnHold":false}}',
        1700000000000 + counter.n, 'delivered', 1, 200, 1700000000000 + counter.n
      FROM counter JOIN person ON person.n = counter.n % (SELECT count(*) FROM person);
      COMMIT;`);
  } finally {
    db.close();
  }
}

/** Numbers of a message and an event that are in the middle of the lists. */
export const middle = { message: Math.ceil(messages / 2), event: Math.ceil(events / 2) } as const;
