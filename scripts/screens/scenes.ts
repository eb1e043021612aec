import type { Pane } from './pane.ts';

/** A picture of the documentation: the typed commands, and the condition for taking the picture. */
export interface Scene {
  /** File name below `docs/screens`, without `.svg`. */
  readonly name: string;
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
  /** Types the commands on an empty screen; returns the lines of the screen. */
  readonly play: (pane: Pane) => Promise<readonly string[]>;
}

/** One command whose output is the picture. */
function command(name: string, line: string, rows: number, columns = 100): Scene {
  return {
    name,
    title: line,
    columns,
    rows,
    play: (pane) => {
      pane.type(line);
      return pane.prompt();
    },
  };
}

const customer = '+16505550199';

/** Creates the calls and messages of the pictures: a call that is answered, a missed one, and one to a queue whose caller hangs up. */
const messages: readonly string[] = [
  `ucctl sandbox trigger sms from=${customer} to=+16505550110 text="My order 4711 has not arrived, and nobody answers the phone. Please call me back before noon." -q`,
  `ucctl sandbox trigger voicemail from=${customer} to=100 -q`,
  'ucctl sandbox trigger fax from=+16505550147 to=100 -q',
  'ucctl sandbox settings callProgression=manual > /dev/null',
  `ucctl sandbox trigger call from=${customer} to=102 -q; ucctl sandbox phone answer 102 > /dev/null`,
  'ucctl sandbox phone hangup 102 > /dev/null',
  'ucctl sandbox trigger call from=+16505550147 to=104 -q; ucctl sandbox phone hangup +16505550147 > /dev/null',
  `ucctl sandbox trigger call from=${customer} to=201 -q; ucctl sandbox phone hangup ${customer} > /dev/null`,
];

/** A list of the messages and calls at one width of the terminal. */
function list(name: string, line: string, columns: number, rows: number): Scene {
  return command(name, line, rows, columns);
}

/** The line that runs commands in the background once a live command has its subscription, so that it shows their events. */
function whenSubscribed(...lines: readonly string[]): string {
  const wait = 'until ucctl subscribe list -q 2> /dev/null | grep -q .; do sleep 0.2; done';
  return `(${[wait, ...lines].join('; ')}) > /dev/null 2>&1 & clear; echo started`;
}

const ring = `ucctl sandbox trigger call from=${customer} to=102 -q`;
const hangUp = `ucctl sandbox phone hangup ${customer} > /dev/null`;

/** A live command, while a call rings at Dana Okafor. Its screen no longer changes, apart from times, when it matches `shown`. */
function liveCommand(
  { name, line, columns, rows }: Pick<Scene, 'name' | 'columns' | 'rows'> & { readonly line: string },
  events: readonly string[],
  shown: RegExp,
): Scene {
  return {
    name,
    title: line,
    columns,
    rows,
    play: async (pane) => {
      pane.type('ucctl sandbox settings callProgression=manual > /dev/null');
      await pane.prompt();
      await pane.clear();
      pane.type(whenSubscribed(...events));
      await pane.until(/^started\n\$$/);
      await pane.clear();
      pane.type(line);
      const lines = await pane.until(shown);
      pane.press('C-c');
      await pane.prompt();
      pane.type(hangUp);
      await pane.prompt();
      return lines;
    },
  };
}

/** The board of a queue with a ringing call. */
function board(name: string, columns: number, rows: number): Scene {
  const shown = /^(?![\s\S]*not read yet)[\s\S]*ringing[\s\S]*q quit/;
  return liveCommand({ name, line: 'ucctl queue watch Support', columns, rows }, [ring], shown);
}

/** Live lines about a text and a call. */
function tail(name: string, columns: number, rows: number): Scene {
  const line = 'ucctl subscribe tail --events messages,presence:detailed --extension ~,102';
  const text = `ucctl sandbox trigger sms from=+16505550147 to=+16505550110 text="Thank you" -q`;
  return liveCommand({ name, line, columns, rows }, [text, ring], /Thank you[\s\S]*is ringing/);
}

/** Every picture, in the order in which they are made: later ones see the changes of earlier ones. Texts are sent last, because their status changes for some seconds. */
export const scenes: readonly Scene[] = [
  command('queue-members', 'ucctl queue list --members', 22),
  {
    name: 'queue-assign',
    title: 'ucctl queue assign --queue Support --add 106,107 --remove 103',
    columns: 100,
    rows: 16,
    play: async (pane) => {
      pane.type('ucctl queue assign --queue Support --add 106,107 --remove 103');
      await pane.until(/Apply\?/);
      pane.press('y', 'Enter');
      return pane.prompt();
    },
  },
  command('history-undo', 'ucctl history undo last --yes', 10),
  {
    name: 'sms-thread',
    title: 'ucctl sms thread +16505550199',
    columns: 80,
    rows: 24,
    play: async (pane) => {
      for (const line of messages) {
        pane.type(line);
        await pane.prompt();
      }
      // The status of a sent text changes within seconds. With --wait, the picture shows the last status.
      pane.type(
        `ucctl sms send --to ${customer} "It leaves our warehouse today and arrives tomorrow. We are sorry for the delay!" --yes --wait -q`,
      );
      await pane.prompt();
      await pane.clear();
      pane.type('ucctl sms thread +16505550199');
      return pane.prompt();
    },
  },
  list('message-list', 'ucctl message list', 80, 24),
  list('message-list-narrow', 'ucctl message list', 40, 20),
  list('calllog-list', 'ucctl calllog list', 80, 24),
  list('calllog-list-wide', 'ucctl calllog list', 120, 40),
  board('queue-watch', 80, 24),
  board('queue-watch-narrow', 40, 20),
  tail('subscribe-tail', 80, 24),
  tail('subscribe-tail-wide', 120, 40),
];
