import { expect, test } from 'vitest';
import { hintText } from '../../src/errors/hint.ts';
import { otherDialect } from '../../src/runtime/other-dialect.ts';
import type { Settings } from '../../src/runtime/settings.ts';

type Origin = Settings['dialect']['origin'];

/** Returns the hint of the error for `hours list` in dialect spec. */
function hintOf(origin: Origin, baseUrl: string): string {
  const settings = {
    dialect: { value: 'spec', origin },
    baseUrl: { value: baseUrl, origin: 'profile' },
  } as Pick<Settings, 'dialect' | 'baseUrl'>;
  const { message, hint } = otherDialect(['hours', 'list'], 'current', settings);
  expect(message).toBe('hours list is not available in dialect spec');
  return hintText(hint ?? '');
}

test.each<[string, Origin]>([
  ['127.0.0.1', 'profile'],
  ['localhost', 'environment'],
])('for a sandbox at %s, the hint starts a sandbox of the other dialect', (host, origin) => {
  expect(hintOf(origin, `http://${host}:8080`)).toBe(
    'this sandbox has the interface of older services; start a sandbox of dialect current: ucctl sandbox start --dialect current',
  );
});

test('if a flag sets the dialect, the sandbox may have the other dialect', () => {
  expect(hintOf('flag', 'http://127.0.0.1:8080')).toBe(
    'if this sandbox has dialect current, use --dialect current; otherwise start a sandbox of dialect current: ucctl sandbox start --dialect current',
  );
});

test('if the profile has the dialect of its service, the hint says so', () => {
  expect(hintOf('profile', 'https://service.example')).toBe(
    'according to the profile, the service has dialect spec, which does not have this command; if the service has changed: ucctl config set dialect current',
  );
});

test('if the dialect is not known, the hint sets it', () => {
  for (const url of ['https://service.example', 'http://127.0.0.1:8080'])
    expect(hintOf('default', url)).toBe(
      'if your service uses dialect current: ucctl config set dialect current',
    );
});
