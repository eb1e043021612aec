import type { OperationName } from '../service/operations.ts';
import { memberNumber, otherTelephone, outsiderNumber, queueNumber } from '../service/world.ts';
import { commandCases } from './all-cases.ts';
import { idOf, messageId, ofChange, type CommandCase, type Stage } from './command-case.ts';

/**
 * What a command accepts as proof of a change: the reply itself, the state that it reads after an inconclusive reply,
 * or always the state. Neither `{}` nor a web page is a proof.
 */
type Proof = 'reply' | 'reply or state' | 'state' | { readonly none: string };

const noService = { none: 'changes nothing on the service' } as const;

/** Every command that can make a change (`mutates` or `effect` in its spec), with its proof. */
export const writeProofs: Readonly<Record<string, Proof>> = {
  'queue availability': 'state',
  'queue apply': 'state',
  'queue assign': 'state',
  'queue unassign': 'state',
  'agent apply': 'state',
  'presence set': 'state',
  'hours apply': 'state',
  'rule apply': 'state',
  'history undo': 'state',
  'sms send': 'reply',
  'ringout start': 'reply',
  'ringout cancel': 'state',
  'pager send': 'reply',
  'pager reply': 'reply',
  'fax send': 'reply',
  'fax resend': 'reply',
  'fax cancel': 'reply or state',
  'message read': 'reply',
  'message unread': 'reply',
  'message restore': 'reply',
  'message delete': 'reply or state',
  'message purge': 'reply or state',
  'subscribe create': 'reply',
  'subscribe update': 'reply',
  'subscribe renew': 'reply',
  'subscribe delete': 'reply or state',
  'webhook create': 'reply',
  'webhook activate': 'state',
  'webhook suspend': 'state',
  'webhook delete': 'reply or state',
  'webhook post': 'reply',
  api: 'reply',
  login: 'reply',
  logout: {
    none: 'removes the session from this machine, whatever the reply is; test/commands/login covers it',
  },
  'sync erase': noService,
  'store expire': noService,
  'store trim': noService,
};

/** Changes that commands without a preview make: of a subscription that ends with the command, and requests that only read. */
export const passingChanges: Readonly<Record<string, readonly OperationName[]>> = {
  'subscribe tail': ['createSubscription', 'deleteSubscription'],
  'message report': ['createMessageReport'],
  'audit list': ['searchAuditTrail'],
};

const oneMessage = (stage: Stage): string => messageId(stage, 'SMS', 'hello');
const ownStore = 'account/~/extension/~/message-store';

/** Command lines of one command whose write is not that of its case in the harness. */
const further: Readonly<Record<string, readonly CommandCase[]>> = {
  'queue availability': [lineOf(() => [queueNumber, '--agent', '101', '--on'], { dialect: 'current' })],
  'queue apply': [
    lineOf(() => ['-f', 'less.csv', '--yes']),
    lineOf(() => ['-f', 'queues.yaml', '--yes'], { dialect: 'current' }),
    lineOf(() => ['-f', 'new-queue.yaml', '--yes'], { dialect: 'current' }),
  ],
  'queue assign': [lineOf(() => ['--queue', queueNumber, '--remove', memberNumber, '--yes'])],
  'presence set': [
    lineOf(() => [memberNumber, outsiderNumber, '--dnd-status', 'DoNotAcceptAnyCalls', '--yes']),
    lineOf(() => ['--queue', queueNumber, '--message', 'lunch', '--yes']),
    lineOf(() => [memberNumber, '--queue-calls', 'off', '--yes']),
  ],
  'hours apply': [lineOf(() => ['-f', 'own-hours.yaml', '--yes'], { dialect: 'current' })],
  'rule apply': [lineOf(() => ['-f', 'new-rule.yaml', '--yes'], { dialect: 'current' })],
  'sms send': [
    lineOf(() => ['--to', otherTelephone, '--to', '+16505550113', '--group', 'hi', '--yes'], {
      dialect: 'current',
    }),
    lineOf(() => ['--to', otherTelephone, 'hi', '--attach', 'a.txt', '--yes']),
    lineOf(() => ['--file', 'texts.csv', '--template', 'Hi{{name}}', '--yes']),
  ],
  'message read': [lineOf((stage) => [oneMessage(stage)])],
  'message unread': [lineOf((stage) => [oneMessage(stage)])],
  'message delete': [
    lineOf((stage) => [oneMessage(stage), '--yes']),
    lineOf(() => ['--type', 'SMS', '--yes']),
  ],
  'message purge': [
    lineOf((stage) => [oneMessage(stage), '--yes']),
    lineOf(() => ['--type', 'SMS', '--yes']),
  ],
  'subscribe update': [lineOf((stage) => [subscription(stage), '--expires-in', '2h'])],
  'subscribe delete': [lineOf(({ service }) => service.world.subscriptions.slice(0, 2).map(idOf))],
  'webhook delete': [lineOf(({ service }) => [...service.world.chatWebhooks.slice(0, 2).map(idOf), '--yes'])],
  'history undo': [
    ['hours', 'apply', '-f', 'hours.yaml'],
    ['rule', 'apply', '-f', 'rules.yaml'],
    ['agent', 'apply', '-f', 'people.csv'],
    ['queue', 'apply', '-f', 'queues.yaml'],
    ['presence', 'set', memberNumber, outsiderNumber, '--message', 'x'],
  ].map((line) => lineOf(() => ['last', '--yes'], { before: [[...line, '--yes']], dialect: 'current' })),
  api: [
    lineOf(() => ['POST', 'account/~/extension/~/company-pager', '-f', 'text=x', '--yes']),
    lineOf(() => ['PUT', 'account/~/extension/~/presence', '-f', 'message=x', '--yes']),
    lineOf((stage) => ['PUT', `${ownStore}/${oneMessage(stage)}`, '-f', 'readStatus=Read', '--yes']),
    lineOf((stage) => ['DELETE', `${ownStore}/${oneMessage(stage)}`, '--yes']),
    lineOf((stage) => ['DELETE', `subscription/${subscription(stage)}`, '--yes']),
    lineOf((stage) => ['POST', `subscription/${subscription(stage)}/renew`, '--yes']),
  ],
};

function subscription({ service }: Stage): string {
  return idOf(service.world.subscriptions[0]);
}

function lineOf(words: CommandCase['words'], more: Partial<CommandCase> = {}): CommandCase {
  return { words, decisive: 'readVersions', shows: 'nothing', ends: ofChange, ...more };
}

/** A command line that makes a change, with its name in the test and what its command accepts as proof. */
export interface WriteLine {
  readonly name: string;
  readonly it: CommandCase;
  readonly proof: Exclude<Proof, object>;
}

export const writeLines: readonly WriteLine[] = Object.entries(writeProofs).flatMap(([command, proof]) => {
  if (typeof proof === 'object') return [];
  // The case of the harness for `api` is a read.
  const isOwn = ([name, it]: readonly [string, CommandCase]): boolean =>
    command !== 'api' && (it.command ?? name) === command;
  const own = Object.entries(commandCases).filter(isOwn);
  const more = (further[command] ?? []).map((it, index) => [`${command} (${index + 1})`, it] as const);
  // A sign-in changes nothing; each other command exits with 14, however it verifies the change.
  return [...own, ...more].map(([name, it]) => {
    const ends = command === 'login' ? it.ends : ofChange;
    return { name, it: { ...it, command, ends }, proof };
  });
});
