import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { execPath } from 'node:process';
import { startProcess, type Started } from '../../test/support/process.ts';

/** A network link of a machine: to the database, or to the service. */
export type Link = 'database' | 'service';

/** A network namespace with a link to the database and a link to the service, or this machine itself. */
export interface Machine {
  /** The database as seen from there. */
  readonly databaseHost: string;
  /**
   * The address of the service as seen from there: a relay with the port of the service, because plain http is for
   * loopback addresses only, and the service names its own address for WebSockets.
   */
  readonly service: string;
  /** Starts a program on the machine. */
  start(words: readonly string[], env: Readonly<Record<string, string>>): Started;
  /** Cuts or restores a link. Packets are lost; connections stay open at both ends. */
  cut(link: Link, isCut: boolean): void;
  close(): Promise<void>;
}

/** This machine, which has no links. @param databaseHost a loopback address, which can tell programs apart. */
export function ownMachine(service: string, databaseHost = '127.0.0.1'): Machine {
  return {
    databaseHost,
    service,
    start: ([command = '', ...args], env) => startProcess(command, args, { env }),
    cut: () => undefined,
    close: () => Promise.resolve(),
  };
}

/** Why network namespaces cannot be created; undefined if they can: on Linux as root. */
export function namespacesMissing(): string | undefined {
  const name = `ucctl-probe-${process.pid}`;
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return 'network namespaces need Linux and root';
  spawnSync('ip', ['netns', 'delete', name]);
  return undefined;
}

/** Creates machines that reach the service on a port of this machine. */
export async function openMachines(count: number, servicePort: number): Promise<readonly Machine[]> {
  const machines: Machine[] = [];
  const network = freeNetwork();
  try {
    for (let index = 0; index < count; index += 1)
      machines.push(await openMachine(network, index, servicePort));
  } catch (error) {
    for (const machine of machines) await machine.close();
    throw error;
  }
  return machines;
}

const ip = (...words: readonly string[]): void => {
  const { status, stderr } = spawnSync('ip', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${stderr}`);
};

/**
 * Returns the first two numbers of a network without a route, such as `10.81`. Proofs that run at the same time have
 * routes, and a proof that was killed leaves its routes.
 */
export function freeNetwork(
  routes: string = spawnSync('ip', ['route'], { encoding: 'utf8' }).stdout,
): string {
  const candidates = Array.from({ length: 100 }, (_, index) => `10.${70 + ((process.pid + index) % 100)}`);
  const free = candidates.find((network) => !routes.includes(`${network}.`));
  if (free === undefined) throw new Error('no network of 10.70 to 10.169 is free; see `ip route`');
  return free;
}

async function openMachine(network: string, index: number, servicePort: number): Promise<Machine> {
  const name = `ucctl-fleet-${process.pid}-${index}`;
  const links = {
    database: {
      device: `uf${process.pid % 10_000}d${index}`,
      inside: 'eth0',
      subnet: `${network}.${2 * index}`,
    },
    service: {
      device: `uf${process.pid % 10_000}s${index}`,
      inside: 'eth1',
      subnet: `${network}.${2 * index + 1}`,
    },
  } as const;
  ip('netns', 'add', name);
  ip('-n', name, 'link', 'set', 'lo', 'up');
  for (const { device, inside, subnet } of Object.values(links)) {
    ip('link', 'add', device, 'type', 'veth', 'peer', 'name', inside, 'netns', name);
    ip('address', 'add', `${subnet}.1/24`, 'dev', device);
    // While the link is cut, nothing for this network may leave the machine in another direction.
    ip('route', 'add', 'unreachable', `${subnet}.0/24`, 'metric', '4096');
    ip('link', 'set', device, 'up');
    ip('-n', name, 'address', 'add', `${subnet}.2/24`, 'dev', inside);
    ip('-n', name, 'link', 'set', inside, 'up');
  }
  const gate = await relay(`${links.service.subnet}.1`, servicePort);
  const inner = await innerRelay(name, { host: `${links.service.subnet}.1`, port: gate.port, servicePort });
  return {
    databaseHost: `${links.database.subnet}.1`,
    service: `http://127.0.0.1:${servicePort}`,
    start: (words, env) => startProcess('ip', ['netns', 'exec', name, ...words], { env }),
    cut: (link, isCut) => ip('link', 'set', links[link].device, isCut ? 'down' : 'up'),
    async close() {
      inner.child.kill('SIGKILL');
      await inner.ended.catch(() => undefined);
      gate.server.close();
      for (const socket of gate.sockets) socket.destroy();
      spawnSync('ip', ['netns', 'delete', name]);
      for (const { device, subnet } of Object.values(links)) {
        spawnSync('ip', ['link', 'delete', device]);
        spawnSync('ip', ['route', 'delete', 'unreachable', `${subnet}.0/24`, 'metric', '4096']);
      }
    },
  };
}

interface Relay {
  readonly server: Server;
  readonly port: number;
  readonly sockets: ReadonlySet<{ destroy(): void }>;
}

/** Passes connections at an address of a link to the service. */
async function relay(host: string, servicePort: number): Promise<Relay> {
  const sockets = new Set<{ destroy(): void }>();
  const server = createServer((from) => {
    const to = connect(servicePort, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => sockets.delete(one));
      one.pipe(other);
    }
  }).listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the relay has no port');
  return { server, port: address.port, sockets };
}

/** Starts a relay on the machine, from a loopback address there to the other end of its link. */
async function innerRelay(
  name: string,
  { host, port, servicePort }: { readonly host: string; readonly port: number; readonly servicePort: number },
): Promise<Started> {
  const script = `require('net').createServer((a) => { const b = require('net').connect(${port}, '${host}');
    a.on('error', () => b.destroy()); b.on('error', () => a.destroy()); a.pipe(b).pipe(a); })
    .listen(${servicePort}, '127.0.0.1', () => console.log('ready'))`;
  const started = startProcess('ip', ['netns', 'exec', name, execPath, '-e', script]);
  started.ended.catch(() => undefined);
  await once(started.child.stdout, 'data');
  return started;
}
