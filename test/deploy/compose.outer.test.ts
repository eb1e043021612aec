import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startLoadBalancer } from '../support/load-balancer.ts';
import { emptyStore, postgresMissing } from '../support/postgres.ts';
import { startUcctl, type Started } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

interface ComposeService {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly network_mode?: string;
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
}

interface Compose {
  readonly volumes?: Readonly<Record<string, unknown>>;
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
}

const text = readFileSync('deploy/compose.yaml', 'utf8');
const composeOf = (source: string): Compose => parse(source, { merge: true }) as Compose;

describe('deploy/compose.yaml', () => {
  const { services, configs } = composeOf(text);

  it('refers to services that exist, and to the image of this version', () => {
    for (const [name, { image, depends_on: needs = {}, network_mode: network }] of Object.entries(services)) {
      expect([name, Object.keys(needs).filter((need) => !(need in services))]).toEqual([name, []]);
      expect([name, network]).toEqual([name, name === 'sandbox' ? undefined : 'service:sandbox']);
      // Every image has a version, and ours is the version of this package.
      const expected = image.startsWith('localhost/')
        ? new RegExp(`^localhost/ucctl:${packageJson.version.replaceAll('.', '\\.')}$`)
        : /:[\w.-]+$/;
      expect([name, image]).toEqual([name, expect.stringMatching(expected)]);
    }
  });

  it('keeps no data of an earlier start, because `store init` rejects a store that exists', () => {
    const composed = composeOf(text);
    expect(composed.services['init']?.command).toEqual(['store', 'init']);
    expect(composed.services['postgres']?.tmpfs).toEqual(['/var/lib/postgresql/data']);
    const stored = Object.entries(composed.services).filter(([, { volumes }]) => volumes !== undefined);
    expect([stored, composed.volumes]).toEqual([[], undefined]);
  });

  it('does not start a drained worker again, which exits with 0', () => {
    const workers = Object.values(services).filter(({ command }) => command?.[1] === 'worker');
    expect(workers.map(({ restart }) => restart)).toEqual(['on-failure', 'on-failure']);
  });

  it('gives each process ports of its own, and the load balancer the ports of the receivers', () => {
    const used = Object.values(services).flatMap(({ command = [] }) =>
      [...command.join(' ').matchAll(/--(?:metrics-)?port[= ](\d+)/g)].map(([, port]) => port),
    );
    expect(new Set(used).size).toBe(used.length);
    const receivers = Object.values(services).filter(({ command }) => command?.[0] === 'webhook');
    expect(receivers).toHaveLength(2);
    for (const { command = [] } of receivers)
      for (const port of [...command.join(' ').matchAll(/port=(\d+)/g)].map(([, found]) => found))
        expect(configs['balancer']?.content).toContain(port);
  });
});

/** Replaces each port of the file with a free port of this machine. */
async function onFreePorts(source: string): Promise<{ text: string; ports: ReadonlyMap<string, number> }> {
  const ports = new Map<string, number>();
  for (const port of new Set(source.match(/\b1[0-9]{4}\b/g))) ports.set(port, await freePort());
  return { text: source.replaceAll(/\b1[0-9]{4}\b/g, (port) => String(ports.get(port))), ports };
}

describe.skipIf(postgresMissing())('the processes of deploy/compose.yaml', () => {
  it('start in their order without containers, copy mailboxes, and deliver an event', async () => {
    const balancer = await startLoadBalancer();
    onTestFinished(() => balancer.close());
    const delivered: string[] = [];
    const target = createServer((request, response) => {
      delivered.push(String(request.headers['ucctl-event-id']));
      request.resume().on('end', () => response.writeHead(200).end());
    });
    await new Promise<void>((resolve) => {
      target.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      target.close();
    });
    const { url, db } = await emptyStore();
    const own = await onFreePorts(
      text
        .replaceAll('127.0.0.1:18090', new URL(balancer.url).host)
        .replaceAll('127.0.0.1:18099', `127.0.0.1:${(target.address() as AddressInfo).port}`)
        .replace(/UCCTL_STORE: postgres:\S+/, `UCCTL_STORE: ${JSON.stringify(url)}`),
    );
    for (const port of ['18091', '18092']) balancer.ports.add(own.ports.get(port) ?? 0);
    const { services } = composeOf(own.text);
    const started = new Map<string, Started>();
    onTestFinished(async () => {
      // The sandbox, the first process, ends last, so that the others can end their subscriptions.
      for (const { child, ended } of [...started.values()].toReversed()) {
        child.kill('SIGTERM');
        await ended;
      }
    });
    const sandboxHome = temporaryFolder();
    const start = (name: string): Started => {
      const { command = [], environment = {} } = services[name] ?? { image: '' };
      const home = name === 'sandbox' ? sandboxHome : temporaryFolder();
      const one = startUcctl(command, { env: { HOME: home, TMPDIR: home, ...environment } });
      started.set(name, one);
      return one;
    };
    const base = `http://127.0.0.1:${own.ports.get('18080')}`;
    start('sandbox');
    await eventually(async () => expect((await fetch(`${base}/sandbox/health`)).status).toBeLessThan(500));
    for (const name of ['init', 'login', 'enroll']) {
      const { exit, stderr } = await start(name).ended;
      expect([name, exit, exit === 0 ? '' : stderr]).toEqual([name, 0, '']);
      started.delete(name);
    }
    const processes = Object.keys(services).filter((name) => services[name]?.depends_on?.['enroll']);
    expect(processes).toEqual(['worker-1', 'worker-2', 'receiver-1', 'receiver-2', 'consumer']);
    for (const name of processes) start(name);
    for (const port of ['19101', '19102', '19111', '19112', '19121'])
      await eventually(async () => {
        const ready = await fetch(`http://127.0.0.1:${own.ports.get(port)}/readyz`);
        expect([port, ready.status, await ready.text()]).toEqual([port, 200, expect.any(String)]);
      });
    await eventually(async () => {
      const [done] = await db.query<{ left: number }>(
        'select count(*) as left from fleet_task where runs = 0',
      );
      expect(done?.left).toBe(0);
    });
    // As with: docker compose exec sandbox ucctl sandbox trigger
    const sent = await startUcctl(['sandbox', 'trigger', 'sms', 'to=101', 'text=hello'], {
      env: { HOME: sandboxHome },
    }).ended;
    expect([sent.exit, sent.stderr]).toEqual([0, expect.any(String)]);
    await eventually(() => expect(delivered).toHaveLength(1));
  });
});
