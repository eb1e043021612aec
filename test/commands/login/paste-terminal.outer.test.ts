import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { userOf } from '../../support/sandbox.ts';
import { openTerminal, terminalMissing } from '../../support/terminal.ts';
import { eventually } from '../../support/eventually.ts';

const missing = terminalMissing();

/** Signs in at the service's page and allows it, as a browser elsewhere would. Gives the address that the browser ends at. */
async function allow(sandbox: Sandbox, url: string): Promise<string> {
  const { username, extension, password } = userOf(sandbox, '102');
  const send = (fields: Record<string, string>): Promise<Response> => {
    const body = new URLSearchParams({ ...Object.fromEntries(new URL(url).searchParams), ...fields });
    return fetch(new URL('/restapi/oauth/authorize', url), { method: 'POST', body, redirect: 'manual' });
  };
  const consent = await (await send({ username, extension, password })).text();
  const ticket = /name="ticket" value="([^"]+)"/.exec(consent)?.[1] ?? '';
  return (await send({ ticket, decision: 'allow' })).headers.get('location') ?? '';
}

describe.skipIf(missing)(
  `login --no-browser in a real terminal${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    test.each([
      ['one that can draw', 'screen-256color'],
      ['one that cannot', 'dumb'],
    ])('%s does not show the pasted address, and the sign-in succeeds', async (_title, TERM) => {
      const sandbox = await startSandbox({ clock: 'real', rateLimits: 'off' });
      onTestFinished(() => sandbox.close());
      const { screen, written, paste, type } = openTerminal('login --no-browser -o json', {
        UCCTL_BASE_URL: sandbox.url,
        UCCTL_CLIENT_ID: sandbox.ready.clientId,
        UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
        UCCTL_STORE: 'file',
        TERM,
      });
      const shown = (): string => screen('-J', '-S', '-').join('\n');
      await eventually(() => expect(shown()).toContain('Final address in the browser'));
      const address = await allow(sandbox, /https?:\S+/.exec(shown())?.[0] ?? '');
      const code = new URL(address).searchParams.get('code') ?? '';
      expect(code.length).toBeGreaterThan(20);
      // What is pasted by mistake is not shown either.
      paste('something-else-of-the-clipboard');
      type('Enter');
      await eventually(() => expect(shown()).toContain('This address does not contain a sign-in code'));
      await eventually(() => expect(shown().split('Final address in the browser').length).toBe(3));
      paste(address);
      type('Enter');
      await eventually(() => expect(shown()).toContain('exit 0'));
      expect(shown()).toContain('"flow": "code"');
      expect(sandbox.requestLog().filter(({ path }) => path.endsWith('/oauth/token'))).toHaveLength(1);
      // All that was written is in the record.
      await eventually(() => expect(written()).toContain('exit 0'));
      for (const secret of [code, 'something-else', new URL(address).search]) {
        expect(shown()).not.toContain(secret);
        expect(written()).not.toContain(secret);
      }
    });
  },
);
