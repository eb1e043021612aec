import { afterAll, onTestFinished } from 'vitest';
import type { HttpSend } from '../../src/client/index.ts';
import { accountNoun } from '../../src/commands/account/noun.command.ts';
import { agentNoun } from '../../src/commands/agent/noun.command.ts';
import { callLogNoun } from '../../src/commands/calllog/noun.command.ts';
import { downloadNoun } from '../../src/commands/download/download.command.ts';
import { eventsNoun } from '../../src/commands/events/noun.command.ts';
import { historyNoun } from '../../src/commands/history/noun.command.ts';
import { presenceNoun } from '../../src/commands/presence/noun.command.ts';
import { queueNoun } from '../../src/commands/queue/noun.command.ts';
import { apiCommand } from '../../src/commands/api/api.command.ts';
import { faxNoun } from '../../src/commands/fax/noun.command.ts';
import { messageNoun } from '../../src/commands/message/noun.command.ts';
import { outcomeNoun } from '../../src/commands/outcome/noun.command.ts';
import { pagerNoun } from '../../src/commands/pager/noun.command.ts';
import { policyNoun } from '../../src/commands/policy/noun.command.ts';
import { ringoutNoun } from '../../src/commands/ringout/noun.command.ts';
import { ruleNoun } from '../../src/commands/rule/noun.command.ts';
import { voicemailNoun } from '../../src/commands/voicemail/noun.command.ts';
import { smsNoun } from '../../src/commands/sms/noun.command.ts';
import { storeNoun } from '../../src/commands/store/noun.command.ts';
import { subscribeNoun } from '../../src/commands/subscribe/noun.command.ts';
import { syncNoun } from '../../src/commands/sync/noun.command.ts';
import { webhookNoun } from '../../src/commands/webhook/noun.command.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { fromSnapshot } from '../support/fixture-snapshot.ts';
import { conditionLimit } from '../support/limits.ts';
import { runUcctl, type RunOptions, type RunResult } from '../support/run-ucctl.ts';
import { sandboxHttp, signInAs } from '../support/sandbox.ts';

export interface Office {
  readonly sandbox: Sandbox;
  /** Runs a command line as the signed-in user. */
  readonly run: (argv: string | readonly string[], options?: RunOptions) => Promise<RunResult>;
  /** Requests since the start or the last call, as `METHOD path`, without signing in. */
  readonly requests: () => readonly string[];
}

const api = { name: 'api', summary: '', section: 'Account and setup', commands: [apiCommand] } as const;
/** The nouns that the tests of commands use. */
export const nouns = [
  ringoutNoun,
  ruleNoun,
  pagerNoun,
  faxNoun,
  messageNoun,
  voicemailNoun,
  policyNoun,
  api,
  callLogNoun,
  downloadNoun,
  queueNoun,
  agentNoun,
  accountNoun,
  historyNoun,
  outcomeNoun,
  presenceNoun,
  smsNoun,
  storeNoun,
  subscribeNoun,
  syncNoun,
  webhookNoun,
  eventsNoun,
];

/** The fixture office in process, closed when the test ends, and someone signed in to it by role or extension number. `around` can break the network. */
export async function openOffice(
  who = 'administrator',
  around: (send: HttpSend) => HttpSend = (send) => send,
  database = ':memory:',
  more: Partial<SandboxOptions> = {},
): Promise<Office> {
  const office = await lastingOffice(who, around, database, more);
  onTestFinished(() => office.sandbox.close());
  return office;
}

/** As `openOffice`, for several tests that only read: whoever opens it closes its sandbox. */
export async function lastingOffice(
  who = 'administrator',
  around: (send: HttpSend) => HttpSend = (send) => send,
  database = ':memory:',
  more: Partial<SandboxOptions> = {},
): Promise<Office> {
  // The service posts a notification once. With the usual second, a busy machine would lose one that a test waits for.
  const settings = { webhookTimeoutMilliseconds: conditionLimit, ...more.settings };
  const sandbox = await startSandbox(await fromSnapshot({ listen: false, database, ...more, settings }));
  const token = await signInAs(sandbox, who);
  const asked: string[] = [];
  const send = around(sandboxHttp(sandbox));
  const http: HttpSend = (request) => {
    asked.push(`${request.method} ${request.url.pathname.replace('/restapi/v1.0', '')}`);
    return send(request);
  };
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token };
  return {
    sandbox,
    run: (argv, options) => runUcctl(argv, { sandbox: { http, env }, nouns, ...options }),
    requests: () => asked.splice(0),
  };
}

/** An office for those tests of a file that only read. The first of them opens it, and it is closed after the last. */
export function sharedOffice(more: Partial<SandboxOptions>): () => Promise<Office> {
  let opened: Promise<Office> | undefined;
  afterAll(async () => (await opened)?.sandbox.close());
  return async () => {
    opened ??= lastingOffice(undefined, undefined, undefined, more);
    const office = await opened;
    // Requests of the tests before.
    office.requests();
    return office;
  };
}
