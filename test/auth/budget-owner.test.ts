import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { budgetOwnerOf, budgetOwnerOfToken } from '../../src/auth/budget-owner.ts';
import { shareBudgets } from '../../src/client/budget-share.ts';
import type { HttpSend } from '../../src/client/index.ts';
import { fakeReply } from '../support/fake-service.ts';
import { pathsIn } from '../support/paths.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { freshSession } from '../support/session-record.ts';
import { temporaryFolder } from '../support/temporary.ts';

const session = { ...freshSession, ownerId: '101' };

describe('the owner of the rate limits that a request uses', () => {
  it('is the same in every session of one user and application', () => {
    const later = { ...session, accessToken: 'other', signedInAt: 7, generation: 9, username: 'typed' };
    expect(budgetOwnerOf(later)).toBe(budgetOwnerOf(session));
    const typed = { ...freshSession, username: '+16505550100' };
    expect(budgetOwnerOf({ ...typed, signedInAt: 7 })).toBe(budgetOwnerOf(typed));
  });

  it('differs by user, application and service', () => {
    const others = [
      session,
      { ...session, ownerId: '102' },
      { ...session, clientId: 'other' },
      { ...session, origin: 'https://other.example' },
      freshSession,
      { ...freshSession, signedInAt: 7 },
      { ...freshSession, username: '101' },
    ].map(budgetOwnerOf);
    expect(new Set([...others, budgetOwnerOfToken('o', 'a'), budgetOwnerOfToken('o', 'b')]).size).toBe(9);
  });

  it('does not reveal the token or the user', () => {
    expect(budgetOwnerOfToken('https://service.example', 'secret-token')).toMatch(/^[0-9a-f]{64}$/);
    expect(budgetOwnerOf(session)).toMatch(/^[0-9a-f]{64}$/);
  });
});

/** A service where signing in works and all else is over its rate limit. */
function limitedService(owner: (clientId: string) => string) {
  let asked = 0;
  const http: HttpSend = (request) => {
    if (request.url.pathname.includes('/oauth/')) {
      const basic = request.headers['authorization']?.slice(6) ?? '';
      const clientId = Buffer.from(basic, 'base64').toString().split(':')[0] ?? '';
      const body = {
        access_token: `token-of-${clientId}-${owner(clientId)}`,
        token_type: 'bearer',
        expires_in: 3600,
        owner_id: owner(clientId),
      };
      return Promise.resolve(
        fakeReply({ status: 200, body, headers: { 'content-type': 'application/json' } }),
      );
    }
    asked += 1;
    return Promise.resolve(fakeReply({ status: 429, headers: { 'retry-after': '60' } }));
  };
  return { http, asked: () => asked };
}

describe('two profiles on one machine', () => {
  it.each([
    ['of one user and application share what is left', 'app', '101', 1],
    ['of two applications do not', 'other', '101', 2],
  ])('%s', async (_, second, owner, requests) => {
    const paths = pathsIn(temporaryFolder());
    const { http, asked } = limitedService(() => owner);
    const run = (line: string, clientId: string) =>
      runUcctl(`${line} --base-url https://service.example`, {
        paths,
        sandbox: { http },
        env: {
          UCCTL_CLIENT_ID: clientId,
          UCCTL_CLIENT_SECRET: 'secret-of-app',
          UCCTL_PASSWORD: 'password-1',
        },
      });
    const login = 'login --flow password --username +16505550100 --store file --dialect spec -p';
    expect((await run(`${login} a`, 'app')).exit).toBe(0);
    expect((await run(`${login} b`, second)).exit).toBe(0);
    // A sign-in asks for the name of its user, in another usage group.
    const before = asked();
    expect((await run('queue list -p a --max-wait 0', 'app')).exit).toBe(6);
    expect((await run('queue list -p b --max-wait 0', second)).exit).toBe(6);
    expect(asked() - before).toBe(requests);
  });

  it('runs with one UCCTL_TOKEN share it, and the token is in no file', async () => {
    const paths = pathsIn(temporaryFolder());
    const { http, asked } = limitedService(() => '');
    const token = 'a-token-of-the-environment';
    const run = (line: string, env: Record<string, string>) =>
      runUcctl(`${line} --base-url https://service.example`, { paths, sandbox: { http }, env });
    const app = {
      UCCTL_CLIENT_ID: 'app',
      UCCTL_CLIENT_SECRET: 'secret-of-app',
      UCCTL_PASSWORD: 'password-1',
    };
    for (const profile of ['a', 'b']) {
      await run(
        `login --flow password --username +16505550100 --store file --dialect spec -p ${profile}`,
        app,
      );
      const { exit } = await run(`queue list --max-wait 0 -p ${profile}`, { UCCTL_TOKEN: token });
      expect([profile, exit]).toEqual([profile, 6]);
    }
    // The first sign-in asks for the name of its user.
    expect(asked()).toBe(2);
    expect(readFileSync(join(paths.state, 'rate-limits.db'), 'latin1')).not.toContain(token);
  });

  it('budgets of an earlier version cause no error', async () => {
    const folder = temporaryFolder();
    const blocked = { left: undefined, resetsAt: 0, blockedUntil: Date.now() + 60_000 };
    const former = await shareBudgets(folder, () =>
      Promise.resolve('https://service.example default'),
    ).open();
    former.update('light', blocked, false, Date.now());
    const now = await shareBudgets(folder, () => Promise.resolve(budgetOwnerOf(session))).open();
    expect(now.take('light', Date.now())).toEqual({ wait: 0, isTaken: false });
  });
});
