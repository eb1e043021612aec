import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PostgresEventLog } from '../../../src/features/live/log/postgres-event-log.ts';
import { ownProcess } from '../../../src/platform/own-process.ts';
import { eventually } from '../../support/eventually.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { startUcctl } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary.ts';

/** A consumer as a process of its own, whose program of `--exec` ignores SIGTERM and does not end by itself. */
async function stubborn() {
  const { db, url } = await testStore();
  const log = new PostgresEventLog(db);
  const raw = JSON.stringify({ uuid: 'u1', event: '/restapi/v1.0/account/~/presence', body: {} });
  await log.append([{ receiver: 'listen', key: 'u1', origin: 'webhook', encrypted: false, raw }]);
  await log.addConsumer('crm', { start: 'start' });
  const folder = temporaryFolder();
  const file = join(folder, 'pid');
  const program = `trap '' TERM; (trap '' TERM; sleep 600 & wait) & echo $$ > ${file}.new; mv ${file}.new ${file}; sleep 600; wait`;
  const env = { HOME: folder, UCCTL_STORE: url, UCCTL_BASE_URL: 'http://127.0.0.1:9', UCCTL_TOKEN: 'unused' };
  const { child, ended } = startUcctl(['events', 'consume', 'crm', '--exec', program], { env });
  const leader = await eventually(() => {
    expect(existsSync(file)).toBe(true);
    return Number(readFileSync(file, 'utf8'));
  });
  onTestFinished(() => ownProcess.signalGroup(leader, 'SIGKILL'));
  return { child, ended, leader, log };
}

describe.skipIf(postgresMissing())('a consumer that gets SIGTERM twice', () => {
  it('kills the program of --exec, also if the program ignores SIGTERM', async () => {
    const { child, ended, leader } = await stubborn();
    expect(ownProcess.isGroupAlive(leader)).toBe(true);
    child.kill('SIGTERM');
    // Both signals could be handled as one otherwise.
    await eventually(() => {
      child.kill('SIGTERM');
      expect(child.signalCode).toBe('SIGTERM');
    });
    await ended;
    await eventually(() => expect(ownProcess.isGroupAlive(leader)).toBe(false));
  });
});
