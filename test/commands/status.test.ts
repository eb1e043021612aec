import { expect, it } from 'vitest';
import { runUcctl } from '../support/run-ucctl.ts';
import { openOffice } from './office.ts';

it('status reports that an access token of UCCTL_TOKEN was not checked, and names the check', async () => {
  const { sandbox, requests } = await openOffice();
  requests();
  const env = { UCCTL_TOKEN: 'bad', UCCTL_BASE_URL: sandbox.url };
  const { exit, stdout, stderr } = await runUcctl('status -o json', { env });
  expect([exit, requests()]).toEqual([0, []]);
  expect(JSON.parse(stdout)).toMatchObject({ store: 'UCCTL_TOKEN', tokenChecked: false });
  expect(stderr).toBe('ucctl did not check the access token of UCCTL_TOKEN. To check it: ucctl doctor\n');
  expect((await runUcctl('status --quiet', { env })).stderr).toBe('');
});
