import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresMissing } from '../../support/postgres.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { fleetOffice } from '../../commands/fleet/fleet-office.ts';

/** A folder with a program systemd-notify that writes its arguments and the socket to a file. */
function fakeNotify(): { readonly path: string; readonly reports: () => readonly string[] } {
  const folder = temporaryFolder();
  const file = join(folder, 'reports');
  const program = join(folder, 'systemd-notify');
  writeFileSync(program, `#!/bin/sh\necho "$* $NOTIFY_SOCKET\${UCCTL_TOKEN:-}" >> '${file}'\n`);
  chmodSync(program, 0o755);
  return {
    path: `${folder}${delimiter}/usr/bin${delimiter}/bin`,
    reports: () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []),
  };
}

describe.skipIf(postgresMissing())('reports to systemd', () => {
  it('are READY when the worker works, WATCHDOG while it does, and STOPPING at its end', async () => {
    const office = await fleetOffice();
    const { path, reports } = fakeNotify();
    const stop = new AbortController();
    const ended = office.run('fleet worker', {
      signal: stop.signal,
      env: { NOTIFY_SOCKET: '/run/test-notify', WATCHDOG_USEC: '300000', PATH: path },
    });
    onTestFinished(async () => {
      stop.abort(new Error('interrupted'));
      await ended;
    });
    await eventually(() => {
      expect(reports()[0]).toBe('READY=1 /run/test-notify');
      expect(reports()).toContain('WATCHDOG=1 /run/test-notify');
    });
    expect(reports()).not.toContain('STOPPING=1 /run/test-notify');
    stop.abort(new Error('interrupted'));
    await ended;
    await eventually(() => expect(reports()).toContain('STOPPING=1 /run/test-notify'));
  });

  it('never end the process, and a missing program is reported once', async () => {
    const office = await fleetOffice();
    const { exit, stderr } = await office.run('fleet worker --once', {
      env: { NOTIFY_SOCKET: '/run/test-notify', WATCHDOG_USEC: '300000', PATH: temporaryFolder() },
    });
    expect(exit).toBe(0);
    expect(stderr.match(/could not report/g)).toHaveLength(1);
    expect(stderr).toContain('could not report READY=1 to systemd');
  });
});
