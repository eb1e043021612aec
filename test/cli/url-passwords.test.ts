import { describe, expect, it } from 'vitest';
import { flagOf } from '../../src/cli/flags.ts';
import { registry } from '../../src/cli/registry.ts';
import { ConnectionError } from '../../src/errors/service.ts';
import { runUcctl } from '../support/run-ucctl.ts';

const password = 'Geheim-7f3a';
/** Addresses with a user and a password, most of them invalid for every option. */
const addresses = [
  `ftp://ada:${password}@host.example/x`,
  `https://ada:${password}@host.example:port/x`,
  `https://ada:${password}/9@host.example`,
  `ada:${password}@host.example`,
  `http://ada:${password}@host.example?x=1`,
  `https://ada:${password}@host.example/@x`,
  `nats://ada:${password}@host.example`,
  `s3://ada:${password}@bucket`,
];

/** A command line for each option that takes an address. `URL` stands for the address. */
const commandLines: readonly string[] = [
  'status --base-url URL',
  'status --proxy URL',
  'status --store URL',
  'status URL',
  'api URL',
  'config set base-url URL',
  'config set media-hosts URL',
  'doctor --public-url URL --port 1',
  'download --uri URL',
  'events consume crm --forward-to URL',
  'events consume crm --to URL',
  'events replay 1 --forward-to URL',
  'login --redirect-uri URL --client-id app',
  'login --store URL',
  'presence board --public-url URL',
  'profile add other --redirect-uri URL',
  'profile add other --store URL',
  'queue list --watch --public-url URL',
  'sandbox start --port 0 --public-url URL',
  'sandbox start --port 0 --public-url x:y --redirect-uri URL',
  'subscribe create --events messages --transport webhook --address URL',
  'subscribe tail --events messages --transport channel --channel-url URL',
  'subscribe tail --events messages --forward-to URL',
  'subscribe tail --events messages --transport webhook --public-url URL',
  'sync --watch --transport channel --channel-url URL',
  'sync --watch --transport webhook --public-url URL',
  'webhook check URL --tries 1',
  'webhook listen --events messages --forward-to URL',
  'webhook listen --events messages --host URL',
  'webhook listen --events messages --public-url URL',
  'webhook listen --events messages --sink URL',
  'webhook trigger messages URL',
];

/** Variables that contain an address. */
const variables: readonly string[] = [
  'UCCTL_BASE_URL',
  'UCCTL_REDIRECT_URIS',
  'UCCTL_STORE',
  'HTTPS_PROXY',
  'UCCTL_MEDIA_HOSTS',
];

/** Returns the errors of a command without a service. Commands that accept the address end at once. */
async function errorsOf(argv: string, given: Readonly<Record<string, string>> = {}): Promise<string> {
  const http = async () =>
    Promise.reject(new ConnectionError('ECONNREFUSED', 'no', 'https://host.example', undefined));
  const env = { UCCTL_BASE_URL: 'https://service.example', UCCTL_TOKEN: 'token-of-a-test', ...given };
  const signal = AbortSignal.abort();
  const { stderr } = await runUcctl(argv, { sandbox: { http }, signal, env });
  return stderr;
}

describe('no error and no stack trace repeats the password of an address', () => {
  it.each(commandLines)('%s', async (argv) => {
    for (const address of addresses)
      expect(await errorsOf(`${argv.replace('URL', address)} -o json --debug`)).not.toContain(password);
  });

  it.each(variables)('%s', async (variable) => {
    for (const address of addresses)
      expect(await errorsOf('status -o json --debug', { [variable]: address })).not.toContain(password);
  });
});

it('the command lines above use every option that takes an address', async () => {
  const nouns = await Promise.all(registry.map(({ load }) => load()));
  const options = nouns.flatMap(({ commands }) => commands.flatMap((spec) => Object.entries(spec.options)));
  const flags = options.flatMap(([key, option]) =>
    !option.positional && 'value' in option && /UR[IL]$|^STORE$/.test(option.value ?? '')
      ? [flagOf(key)]
      : [],
  );
  // The content of a chat post, which ucctl does not check.
  const content = ['icon', 'authorLink', 'authorIcon', 'titleLink', 'imageUrl', 'footerIcon'].map(flagOf);
  const used = commandLines.flatMap((line) => / (--[a-z-]+) URL/.exec(line)?.[1] ?? []);
  const known = new Set([...content, ...used]);
  expect(flags.filter((flag) => !known.has(flag))).toEqual([]);
});
