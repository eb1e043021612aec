import { expect, it } from 'vitest';
import { withoutSecrets } from '../../src/platform/secret-environment.ts';

it('children get no variable with a secret of ucctl', () => {
  const harmless = {
    PATH: '/bin',
    UCCTL_STORE: 'postgres://user@host/database?schema=a',
    AWS_ACCESS_KEY_ID: 'AKIA',
    UCCTL_PORT: '1',
  };
  const secrets = {
    UCCTL_TOKEN: 'x',
    UCCTL_STORE_KEY: 'x',
    PGPASSWORD: 'x',
    NATS_PASSWORD: 'x',
    NATS_TOKEN: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    AWS_SESSION_TOKEN: 'x',
  };
  expect(withoutSecrets({ ...harmless, ...secrets })).toEqual(harmless);
  for (const address of [
    'postgres://user:word@host/database',
    'postgres://host/database?user=a&password=word',
  ])
    expect(withoutSecrets({ PATH: '/bin', UCCTL_STORE: address })).toEqual({ PATH: '/bin' });
});
