import { describe, expect, it } from 'vitest';
import { joinReceiver } from '../../../src/features/live/shared/receiver-table.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice } from '../fleet/fleet-office.ts';

describe.skipIf(postgresMissing())('a receiver whose events go to a stream', () => {
  it('has no number of events, and its removal deletes none', async () => {
    const office = await fleetOffice();
    const definition = {
      name: 'main',
      origin: 'https://service.example',
      path: '/hook',
      token: undefined,
      addressOf: (path: string) => path,
      eventFilters: ['/x'],
      streams: true,
      fresh: { path: '/hook', token: undefined },
    };
    await joinReceiver(office.db, definition, { process: 'one', machine: 'm', pid: 1, version: '0.1.0' });
    await office.db.run('delete from receiver_process');
    expect(await office.rows('events receivers')).toMatchObject([{ events: null, lastEventAt: null }]);
    const { stdout } = await office.run('events receivers', { terminal: 200 });
    expect(stdout).toMatch(/EVENTS[^]*in the stream/);
    const declined = await office.run('events receivers main --remove');
    expect(declined.stderr).toContain('receiver main: its events are in the stream and stay there');
    expect(declined.stderr).not.toContain('0 events');
    const removed = await office.run('events receivers main --remove --yes');
    expect(removed.stderr).toContain('Deleted receiver main. Its events stay in the stream.');
  });
});
