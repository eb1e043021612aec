import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { eventually } from '../../support/eventually.ts';
import { userOf } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openTerminal, terminalMissing } from '../../support/terminal.ts';

const missing = terminalMissing();

/** A program that signs in at the service's page and allows it, as a person with a browser would. */
function browserOf(sandbox: Sandbox): string {
  const { username, extension, password } = userOf(sandbox, '102');
  const file = join(temporaryFolder(), 'browser.mjs');
  writeFileSync(
    file,
    `const url = process.argv.at(-1);
const send = (fields) => fetch(new URL('/restapi/oauth/authorize', url), {
  method: 'POST', redirect: 'manual',
  body: new URLSearchParams({ ...Object.fromEntries(new URL(url).searchParams), ...fields }),
});
const consent = await (await send(${JSON.stringify({ username, extension, password })})).text();
const ticket = /name="ticket" value="([^"]+)"/.exec(consent)[1];
await fetch((await send({ ticket, decision: 'allow' })).headers.get('location'));
`,
  );
  return `${process.execPath} ${file}`;
}

/** A way to sign in: its title, the environment, and the keys that choose it. */
type SignIn = readonly [
  title: string,
  envOf: (sandbox: Sandbox) => Readonly<Record<string, string>>,
  choice: readonly string[],
];

function assertionOf(sandbox: Sandbox): string {
  return sandbox.assertion({ sub: userOf(sandbox, '102').extensionId });
}

describe.skipIf(missing)(
  `init, then live events, without a public address and without a setting${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    test.each<SignIn>([
      ['the assertion of a script', (sandbox: Sandbox) => ({ UCCTL_ASSERTION: assertionOf(sandbox) }), []],
      ['a browser', (sandbox: Sandbox) => ({ BROWSER: browserOf(sandbox) }), ['Enter']],
      ['an assertion at the prompt', () => ({}), ['Down', 'Enter']],
    ])('sign-in with %s, in dialect current', async (_title, envOf, choice) => {
      const sandbox = await startSandbox({ clock: 'real', rateLimits: 'off', dialect: 'current' });
      onTestFinished(() => sandbox.close());
      const tail = `'${process.execPath}' '${resolve('bin/ucctl.cjs')}' subscribe tail --count 1`;
      const { screen, paste, type } = openTerminal(`init && ${tail}`, envOf(sandbox));
      const shown = (): string => screen('-J', '-S', '-').join('\n');
      const { url, ready } = sandbox;
      const answers: readonly (readonly [string, string, readonly string[]])[] = [
        ['? Base URL of the service', url, ['Enter']],
        ...(choice.length > 0 ? [['? How do you want to sign in', '', choice] as const] : []),
        ['? Store the session in a plain text file', 'y', ['Enter']],
        ['? Client ID', ready.clientId, ['Enter']],
        ['? Client secret', ready.clientSecret, ['Enter']],
        ...(choice.includes('Down') ? [['? Assertion', assertionOf(sandbox), ['Enter']] as const] : []),
      ];
      for (const [question, answer, keys] of answers) {
        await eventually(() => expect(shown()).toContain(question));
        if (answer !== '') paste(answer);
        for (const key of keys) type(key);
      }
      await eventually(() => expect(shown()).toContain('Support'));
      await eventually(() => expect(shown()).toContain('Ready: watching messages'));
      await sandbox.control('POST', '/triggers/sms', {
        from: '+16505550199',
        to: '102',
        text: 'My order has not arrived.',
      });
      await eventually(() => expect(shown()).toContain('exit 0'));
      expect(shown()).toContain('My order has not arrived.');
    });
  },
);
