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

describe.skipIf(missing)(
  `init, then live events, without a public address and without a setting${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    test.each([
      [
        'the assertion of a script',
        (sandbox: Sandbox) => ({
          UCCTL_ASSERTION: sandbox.assertion({ sub: userOf(sandbox, '102').extensionId }),
        }),
      ],
      ['a browser', (sandbox: Sandbox) => ({ BROWSER: browserOf(sandbox) })],
    ])('sign-in with %s, in dialect current', async (_title, envOf) => {
      const sandbox = await startSandbox({ clock: 'real', rateLimits: 'off', dialect: 'current' });
      onTestFinished(() => sandbox.close());
      const tail = `'${process.execPath}' '${resolve('bin/ucctl.cjs')}' subscribe tail --count 1`;
      const { screen, paste, type } = openTerminal(`init && ${tail}`, envOf(sandbox));
      const shown = (): string => screen('-J', '-S', '-').join('\n');
      const { url, ready } = sandbox;
      const answers: readonly (readonly [string, string])[] = [
        ['? Base URL of the service', url],
        ['? Store the session in a plain text file', 'y'],
        ['? Client ID', ready.clientId],
        ['? Client secret', ready.clientSecret],
      ];
      for (const [question, answer] of answers) {
        await eventually(() => expect(shown()).toContain(question));
        paste(answer);
        type('Enter');
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
