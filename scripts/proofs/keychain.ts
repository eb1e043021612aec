import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import {
  secretServiceMissing,
  startSecretService,
  type Situation,
} from '../../test/support/secret-service.ts';
import { startUcctl } from '../../test/support/process.ts';
import { userOf } from '../../test/support/sandbox.ts';
import { timeLimit, type Result, type Size } from './result.ts';

/** Limit in milliseconds for reporting a keychain that cannot be used. */
const limitMilliseconds = 5000;

interface Environment {
  readonly name: string;
  /**
   * Whether the reduced proof includes this environment. It has one environment for each result. The others differ
   * only in how ucctl detects the state of the keychain, which test/auth/keychain-store.outer.test.ts tests for all
   * of them.
   */
  readonly isReduced?: true;
  readonly situation?: Situation;
  readonly env?: Readonly<Record<string, string>>;
  readonly exit: number;
  readonly message: string;
}

const locked = 'the keyring is locked';
const noService = 'the session cannot be saved: no keychain service is available (no D-Bus session)';
const environments: readonly Environment[] = [
  {
    name: 'unlocked',
    isReduced: true,
    situation: 'unlocked',
    exit: 0,
    message: 'is stored in the keyring (Secret Service)',
  },
  { name: 'locked, no prompt possible', isReduced: true, situation: 'locked', exit: 12, message: locked },
  { name: 'locked, prompt not answered', situation: 'locked-waiting', exit: 12, message: locked },
  { name: 'daemon restarted, locked', situation: 'restarted', exit: 12, message: locked },
  {
    name: 'no default keyring',
    isReduced: true,
    situation: 'no-default',
    exit: 12,
    message: 'the keyring service has no default keyring',
  },
  { name: 'a bus without a keychain', situation: 'no-provider', exit: 12, message: noService },
  { name: 'no bus', isReduced: true, env: {}, exit: 12, message: noService },
  {
    name: 'a stale bus',
    env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' },
    exit: 12,
    message: noService,
  },
];

/**
 * Tests the possible states of a keychain (promises 14 to 16): a problem is reported before sign-in and in time,
 * and no secret is stored in plain text.
 */
export async function run(size: Size): Promise<readonly Result[]> {
  const missing = secretServiceMissing();
  if (missing !== undefined) {
    return [{ promise: 'keychain environments', figure: `not run: ${missing}`, holds: size === 'reduced' }];
  }
  const sandbox = await startSandbox({ clock: 'real' });
  const results: Result[] = [];
  try {
    for (const environment of environments.filter(({ isReduced }) => size === 'full' || isReduced))
      results.push(await tryIn(environment, sandbox, size));
  } finally {
    await sandbox.close();
  }
  return results;
}

async function tryIn(environment: Environment, sandbox: Sandbox, size: Size): Promise<Result> {
  const limit = timeLimit(size, limitMilliseconds);
  const { name, situation, exit, message } = environment;
  const service = situation === undefined ? undefined : await startSecretService(situation);
  const home = service?.home ?? mkdtempSync(join(tmpdir(), 'ucctl-proof-'));
  try {
    const { username, password } = userOf(sandbox, '102');
    const env = {
      ...(service?.env ?? { HOME: home, XDG_RUNTIME_DIR: join(home, 'none'), ...environment.env }),
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_CONFIG_DIR: join(home, 'ucctl'),
      UCCTL_CLIENT_ID: sandbox.ready.clientId,
      UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
      UCCTL_PASSWORD: password,
    };
    const asked = sandbox.requestLog().length;
    const login = ['login', '--flow', 'password', '--username', username];
    const end = await startUcctl(login, { env }).ended;
    const sent = sandbox.requestLog().length - asked;
    const plain = plainSecrets(home, [password, sandbox.ready.clientSecret]);
    const works = exit !== 0 || (await startUcctl(['queue', 'list'], { env }).ended).exit === 0;
    if (exit === 0) await startUcctl(['logout'], { env }).ended;
    const said = end.stderr.includes(message);
    const silent = exit === 0 || sent === 0;
    return {
      promise: `keychain: ${name}`,
      figure: `exit ${end.exit} in ${Math.round(end.milliseconds)} ms, message as documented: ${said}, requests sent ${sent}, secrets in files ${plain}`,
      holds: end.exit === exit && said && works && silent && plain === 0 && end.milliseconds <= limit,
    };
  } finally {
    if (service) await service.stop();
    else rmSync(home, { recursive: true, force: true });
  }
}

/** The JSON names of tokens, whose values the proof does not know. Compiled code of the program contains the names. */
const tokenNames = ['"accessToken"', '"refreshToken"'];

/** Number of files below the home folder that contain one of the secrets, or a token. */
function plainSecrets(home: string, secrets: readonly string[]): number {
  const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.filter((entry) => {
    const text = readFileSync(join(entry.parentPath, entry.name), 'latin1');
    const isCompiled = entry.parentPath.includes(`${sep}compiled${sep}`);
    return [...secrets, ...(isCompiled ? [] : tokenNames)].some((secret) => text.includes(secret));
  }).length;
}
