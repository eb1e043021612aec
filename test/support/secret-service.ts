import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { conditionLimit } from './limits.ts';
import { unlessRequired } from './required.ts';

/** States of the keychain on a Linux desktop, a server and in a container. */
export type Situation =
  | 'unlocked'
  /** Locked, and no prompt can be shown. */
  | 'locked'
  /** Locked, and the prompt is never answered. */
  | 'locked-waiting'
  /** Its daemon died during the session; the bus starts it again, locked. */
  | 'restarted'
  /** A service without a default keyring, as for a new user. */
  | 'no-default'
  /** A bus without a Secret Service. */
  | 'no-provider';

export interface SecretService {
  /** For the process under test: a separate home and bus. */
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  stop(): Promise<void>;
}

const programs = ['dbus-daemon', 'dbus-send', 'gnome-keyring-daemon'];

/** Why the keychain tests cannot run here; undefined when they can. */
export function secretServiceMissing(): string | undefined {
  if (process.platform !== 'linux') return 'the Secret Service is a thing of Linux';
  const missing = programs.filter((program) => spawnSync('which', [program]).status !== 0);
  return unlessRequired(
    'secret-service',
    missing.length > 0
      ? `not installed: ${missing.join(', ')} (packages dbus-daemon, dbus-bin, gnome-keyring)`
      : undefined,
  );
}

/** Starts a real Secret Service on a separate bus, in a separate home. */
export async function startSecretService(
  situation: Situation,
  /** Runs while the keyring is unlocked, before it is locked. */
  prepare: (env: Readonly<Record<string, string>>) => Promise<void> = () => Promise.resolve(),
): Promise<SecretService> {
  const home = mkdtempSync(join(tmpdir(), 'ucctl-keyring-'));
  const processes: ChildProcess[] = [];
  const stop = async (): Promise<void> => {
    for (const one of processes.reverse()) await end(one);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_RUNTIME_DIR: join(home, 'run'),
    XDG_DATA_HOME: join(home, 'share'),
    XDG_CACHE_HOME: join(home, 'cache'),
    XDG_CONFIG_HOME: join(home, 'config'),
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(home, 'bus')}`,
  };
  try {
    mkdirSync(env.XDG_RUNTIME_DIR, { mode: 0o700 });
    processes.push(startBus(home, env, situation));
    await until(() => ask(env, 'org.freedesktop.DBus') !== undefined);
    if (situation === 'no-provider') return { env, home, stop };
    if (situation !== 'no-default') {
      const unlocked = await startKeyring(env, ['--unlock']);
      processes.push(unlocked);
      await prepare(env);
      if (situation === 'unlocked') return { env, home, stop };
      await end(unlocked);
      await until(() => ask(env, 'org.freedesktop.secrets') === false);
      // The next request makes the bus start it.
      if (situation === 'restarted') return { env, home, stop };
    }
    processes.push(await startKeyring(env, []));
    return { env, home, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A bus that knows only the services of this test, so that no service of the machine is started. */
function startBus(home: string, env: NodeJS.ProcessEnv, situation: Situation): ChildProcess {
  const services = join(home, 'services');
  mkdirSync(services);
  if (situation === 'locked-waiting') {
    const prompter = '[D-BUS Service]\nName=org.gnome.keyring.SystemPrompter\nExec=/bin/sleep 20\n';
    writeFileSync(join(services, 'prompter.service'), prompter);
  }
  if (situation === 'restarted') {
    const keyring =
      '[D-BUS Service]\nName=org.freedesktop.secrets\nExec=/usr/bin/gnome-keyring-daemon --foreground --components=secrets\n';
    writeFileSync(join(services, 'secrets.service'), keyring);
  }
  const file = join(home, 'bus.conf');
  writeFileSync(
    file,
    `<busconfig><type>session</type><listen>${env['DBUS_SESSION_BUS_ADDRESS']}</listen><servicedir>${services}</servicedir>
     <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
     </busconfig>`,
  );
  return spawn('dbus-daemon', ['--nofork', '--nosyslog', `--config-file=${file}`], { env, stdio: 'ignore' });
}

async function startKeyring(env: NodeJS.ProcessEnv, more: readonly string[]): Promise<ChildProcess> {
  const child = spawn('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...more], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin?.end('test');
  await until(() => ask(env, 'org.freedesktop.secrets') === true);
  return child;
}

/** Whether the name has an owner on the bus; undefined when there is no bus. */
function ask(env: NodeJS.ProcessEnv, name: string): boolean | undefined {
  const bus = 'org.freedesktop.DBus';
  const question = [
    '--session',
    '--print-reply',
    `--dest=${bus}`,
    '/',
    `${bus}.NameHasOwner`,
    `string:${name}`,
  ];
  const { status, stdout } = spawnSync('dbus-send', question, { env, encoding: 'utf8' });
  return status === 0 ? stdout.includes('boolean true') : undefined;
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = performance.now() + conditionLimit;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error('the Secret Service of the test did not start');
    await delay(20);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => {
    child.once('close', resolve);
  });
  child.kill('SIGKILL');
  await closed;
}
