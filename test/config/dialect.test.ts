import { describe, expect, test } from 'vitest';
import { grantedPermissions, unknownPermissions } from '../../src/config/granted-permissions.ts';
import { resolveSettings } from '../../src/config/index.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryPaths } from '../support/temporary.ts';

describe('what differs between deployments', () => {
  test('spec:CLIENT-1 is as specified by default', async () => {
    const settings = await resolveSettings({ flags: {}, env: {}, paths: temporaryPaths() });
    expect(settings).toMatchObject({
      dialect: { value: 'spec', origin: 'default' },
      chatPath: { value: '/restapi/v1.0/chat' },
      channelTransport: { value: 'ChannelService' },
      ringoutPath: { value: 'ringout' },
      mediaHosts: { value: [] },
      webhookLimitMilliseconds: { value: 1000 },
      defaultCountry: { value: undefined },
    });
  });

  test('--dialect current changes the group; an individual setting takes precedence', async () => {
    const paths = temporaryPaths();
    const run = (line: string) => runUcctl(line, { paths });
    await run('config set ringout-path ringout');
    await run('config set media-hosts media.example.com,Other.Example.com:8443');
    const { stdout } = await run('config list --dialect current --show-origin -o json');
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: 'dialect', value: 'current', origin: 'flag', source: '--dialect' }),
        expect.objectContaining({
          key: 'webhook-limit',
          value: 3000,
          origin: 'default',
          source: 'dialect current',
        }),
        expect.objectContaining({ key: 'ringout-path', value: 'ringout', origin: 'profile' }),
        expect.objectContaining({
          key: 'media-hosts',
          value: 'media.example.com,other.example.com:8443',
        }),
      ]),
    );
  });

  test.each([
    ['dialect', 'klingon'],
    ['chat-path', 'https://evil.example/'],
    ['chat-path', '/a/../b'],
    ['media-hosts', 'https://media.example.com'],
    ['media-hosts', '*.example.com'],
    ['webhook-limit', '0'],
    ['default-country', 'USA'],
  ])('config set %s %s is rejected', async (key, value) => {
    const { exit } = await runUcctl(['config', 'set', key, value], { paths: temporaryPaths() });
    expect(exit).toBe(2);
  });
});

describe('spec:PERMISSION-3 to PERMISSION-29', () => {
  test('what a permission includes is granted with it, and what that includes', () => {
    expect(grantedPermissions('Accounts')).toEqual([
      'Accounts',
      'EditAccounts',
      'EditExtensions',
      'ReadAccounts',
    ]);
  });
  test('unknown names are retained, and the absence of scopes means unknown', () => {
    expect(grantedPermissions(' Brand.New  SMS ')).toEqual(['Brand.New', 'ReadMessages', 'SMS']);
    expect(grantedPermissions(undefined)).toBeUndefined();
  });
  test('spec:PERMISSION-30 names that the dialect does not define are unknown', () => {
    expect(unknownPermissions('SMS TeamMessaging Brand.New', 'spec')).toEqual(['Brand.New', 'TeamMessaging']);
    expect(unknownPermissions('SMS TeamMessaging Brand.New', 'current')).toEqual(['Brand.New']);
  });
});
