import { setTimeout as wait } from 'node:timers/promises';
import { accountScenes } from './account-scenes.ts';
import { limit, type Pane } from './pane.ts';
import type { Scene } from './scene.ts';

interface Size {
  /** End of the file name. */
  readonly suffix: string;
  readonly columns: number;
  readonly rows: number;
}

/** Every view is shown on a terminal of each size. */
const sizes: readonly Size[] = [
  { suffix: '', columns: 80, rows: 24 },
  { suffix: '-wide', columns: 120, rows: 40 },
  { suffix: '-narrow', columns: 40, rows: 20 },
];

function changed(scene: Scene, change: Partial<Scene>): Scene {
  return { ...scene, ...change };
}

/** One command at every size, whose output is the picture. `rows`: for an output that is longer than the screens. */
function command(name: string, line: string, { rows }: { readonly rows?: number } = {}): readonly Scene[] {
  return sizes.map((size) => ({
    name: `${name}${size.suffix}`,
    title: line,
    columns: size.columns,
    rows: rows ?? size.rows,
    play: (pane) => {
      pane.type(line);
      return pane.prompt();
    },
  }));
}

const customer = '+16505550199';

/** A request to the control API of the sandbox. */
type ControlRequest = readonly [method: string, path: string, body?: object];

const trigger = (kind: string, body: object): ControlRequest => ['POST', `/triggers/${kind}`, body];
const press = (phone: string, action: string): ControlRequest => [
  'POST',
  `/phones/${encodeURIComponent(phone)}/${action}`,
  {},
];
const manualCalls: ControlRequest = ['PATCH', '/settings', { callProgression: 'manual' }];

/** Creates the calls and messages of the pictures: a call that is answered, a missed one, and one to a queue whose caller hangs up. */
const messages: readonly ControlRequest[] = [
  trigger('sms', {
    from: customer,
    to: '+16505550110',
    text: 'My order 4711 has not arrived. Please call me back before noon.',
  }),
  trigger('voicemail', { from: customer, to: '100' }),
  trigger('fax', { from: '+16505550147', to: '100' }),
  manualCalls,
  trigger('call', { from: customer, to: '102' }),
  press('102', 'answer'),
  press('102', 'hangup'),
  trigger('call', { from: '+16505550147', to: '104' }),
  press('+16505550147', 'hangup'),
  trigger('call', { from: customer, to: '201' }),
  press(customer, 'hangup'),
];

/** The status of a sent text changes within seconds. With --wait, the picture shows the last status. */
const answer = `ucctl sms send --to ${customer} "It leaves our warehouse today and arrives tomorrow. Sorry!" --yes --wait -q`;

/** The scenes of the conversation; the first one creates the messages and calls that the later scenes show. */
function conversation(): readonly Scene[] {
  const scenes = command('sms-thread', `ucctl sms thread ${customer}`);
  return scenes.map((scene, at) =>
    changed(scene, {
      play: async (pane) => {
        if (at === 0) {
          for (const request of messages) await pane.control(...request);
          pane.type(answer);
          await pane.prompt();
        }
        await pane.clear();
        return scene.play(pane);
      },
    }),
  );
}

/** Callers of the boards, whose calls end after each picture. */
const callers = { queue: '+16505550147', agent: customer, earlier: '+16505550123' } as const;

/** How far the clock of a board is ahead of the sandbox at its start, in seconds. */
const ahead = 20 * 60;
const later = (seconds: number): ControlRequest => ['POST', '/clock/advance', { seconds }];

/** The calls of 20 minutes: one that ended, one that goes on, and one to the queue that still rings. */
const calls: readonly ControlRequest[] = [
  trigger('call', { from: callers.earlier, to: '104' }),
  press('104', 'answer'),
  later(ahead - 7 * 60),
  press('104', 'hangup'),
  later(3 * 60),
  trigger('call', { from: callers.agent, to: '102' }),
  press('102', 'answer'),
  later(4 * 60),
  trigger('call', { from: callers.queue, to: '201' }),
];

/** Waits until a live command has its subscription, so that it shows later events. */
async function untilSubscribed(pane: Pane): Promise<void> {
  const end = Date.now() + limit;
  for (;;) {
    const { records } = (await pane.control('GET', '/subscriptions')) as {
      readonly records: readonly object[];
    };
    if (records.length > 0) return;
    if (Date.now() > end) throw new Error('the live command does not subscribe');
    await wait(50);
  }
}

/** Ends the calls that still ring; the sandbox rejects the request for a phone without a call. */
async function hangUp(pane: Pane): Promise<void> {
  for (const caller of Object.values(callers))
    await pane.control(...press(caller, 'hangup')).catch(() => undefined);
}

/**
 * A live command at every size, while calls ring. The events are sent when the screen matches `ready`. The screen no
 * longer changes, apart from times, when it matches `shown`.
 */
function liveCommand(
  name: string,
  line: string,
  events: readonly ControlRequest[],
  { ready, shown }: { readonly ready: RegExp; readonly shown: RegExp },
): readonly Scene[] {
  return sizes.map(({ suffix, columns, rows }) => ({
    name: `${name}${suffix}`,
    title: line,
    columns,
    rows,
    isUnchecked: suffix !== '',
    play: async (pane) => {
      await pane.control(...manualCalls);
      await pane.enter(line);
      await untilSubscribed(pane);
      await pane.until(ready);
      for (const event of events) await pane.control(...event);
      const lines = await pane.until(shown);
      pane.press('C-c');
      await pane.prompt();
      await hangUp(pane);
      return lines;
    },
  }));
}

/**
 * Sets the clock of the programs on the terminal ahead of the sandbox, so that the sandbox reports times of the last
 * 20 minutes. An earlier board may have advanced the clock of the sandbox.
 */
async function setClockAhead(pane: Pane): Promise<void> {
  const { time } = (await pane.control('GET', '/clock')) as { readonly time: string };
  const offset = Date.parse(time) - Date.now() + ahead * 1000;
  const module = `data:text/javascript,const{now}=Date;Date.now=()=>now()+${offset}`;
  pane.type(`export NODE_OPTIONS='--import "${module}"'`);
  await pane.prompt();
  await pane.clear();
}

/** A board on which a call rings at one agent, another agent is on a call, and the others are free. */
function board(name: string, line: string, before: readonly ControlRequest[] = []): readonly Scene[] {
  const ready = /^(?![\s\S]*not read yet)[\s\S]*available[\s\S]*q quit/;
  const shown = /1 ringing,\s+1 on a call[\s\S]*q quit/;
  const scenes = liveCommand(name, line, [...before, ...calls], { ready, shown });
  return scenes.map((scene) =>
    changed(scene, {
      play: async (pane) => {
        await setClockAhead(pane);
        const lines = await scene.play(pane);
        pane.type('unset NODE_OPTIONS');
        await pane.prompt();
        return lines;
      },
    }),
  );
}

/** One of two people of the same name stops accepting queue calls. */
const queueCallsOff = trigger('presence', { extension: '104', dndStatus: 'DoNotAcceptDepartmentCalls' });

/** Live lines about a text and a call. */
function live(name: string, line: string): readonly Scene[] {
  const text = trigger('sms', {
    from: '+16505550147',
    to: '+16505550110',
    text: 'Thank you, the parcel is here. One plate is broken, can you send another?',
  });
  const call = trigger('call', { from: customer, to: '201' });
  const shown = /can\s+you\s+send\s+another[\s\S]*is\s+ringing/;
  const scenes = liveCommand(name, line, [text, call], { ready: /Press\s+Ctrl-C/, shown });
  return scenes.map((scene) => changed(scene, { isUnchecked: true }));
}

/** The list for a missing argument, after some letters were typed. */
function picker(): readonly Scene[] {
  return sizes.map(({ suffix, columns, rows }) => ({
    name: `picker${suffix}`,
    title: 'ucctl calllog show',
    columns,
    rows,
    play: async (pane) => {
      pane.type('ucctl calllog show');
      await pane.until(/Choose SESSION:[\s\S]*Voice/);
      pane.press('d', 'a', 'n', 'a');
      const lines = await pane.until(/Choose SESSION: dana\n(?![\s\S]*Fax)[\s\S]*Voice/);
      pane.press('Escape');
      await pane.prompt();
      return lines;
    },
  }));
}

/** A change that asks for confirmation, and its reversal. */
function assignment(): readonly Scene[] {
  const line = 'ucctl queue assign --queue Support --add 106,107 --remove 103';
  const undo = command('history-undo', 'ucctl history undo last --yes');
  return command('queue-assign', line)
    .flatMap((scene, at) => [
      changed(scene, {
        play: async (pane: Pane) => {
          pane.type(line);
          await pane.until(/\(y\/N\)/);
          pane.press('y', 'Enter');
          return pane.prompt();
        },
      }),
      undo[at] ?? [],
    ])
    .flat();
}

/** A list as an office saves it, with headings that match loosely and two wrong rows. */
function listProblems(): readonly Scene[] {
  const rows = [
    'Call Queue;Ext.;Add/Remove',
    'Suport;0105;add',
    'Sales;Dana Okafor;remove',
    'Billing;105;Ad',
  ];
  const file = `printf '%s\\r\\n' ${rows.map((row) => `'${row}'`).join(' ')} > agents.csv`;
  return command('list-problems', 'ucctl queue assign --file agents.csv').map((scene) =>
    changed(scene, {
      play: async (pane) => {
        pane.type(`${file}; clear`);
        await pane.prompt();
        return scene.play(pane);
      },
    }),
  );
}

/** Every picture, in the order in which they are made: later ones see the changes of earlier ones. */
export const scenes: readonly Scene[] = [
  ...command('queue-members', 'ucctl queue list --members'),
  ...assignment(),
  ...listProblems(),
  ...conversation(),
  ...command('message-list', 'ucctl message list'),
  ...command('voicemail-list', 'ucctl voicemail list'),
  ...command('calllog-list', 'ucctl calllog list'),
  ...command('calllog-stats', 'ucctl calllog stats', { rows: 50 }),
  ...picker(),
  ...board('queue-watch', 'ucctl queue watch Support'),
  ...board('presence-watch', 'ucctl presence watch 102 103 104 105', [queueCallsOff]),
  ...live('subscribe-tail', 'ucctl subscribe tail --events messages,presence:detailed --extension ~,102'),
  ...live('webhook-listen', 'ucctl webhook listen --events messages,presence:detailed --extension ~,102'),
  ...accountScenes,
];
