import { groupId } from '../service/world.ts';
import { idOf, names, ofChange, ofOnce, ofRead, type CommandCase, type Stage } from './command-case.ts';

const none = (): readonly string[] => [];
const subscription = ({ service }: Stage): string => idOf(service.world.subscriptions[0]);
const webhook = ({ service }: Stage): string => idOf(service.world.chatWebhooks[0]);
const suspendedWebhook = ({ service }: Stage): string => idOf(service.world.chatWebhooks[1]);
const toWebhook = ['--events', 'messages,presence', '--transport', 'webhook'];
const receiver = ['--address', 'https://receiver.example/in'];
const done = { shows: 'ids', ends: ofChange } as const;

export const liveCases: Readonly<Record<string, CommandCase>> = {
  'subscribe create': {
    words: () => [...toWebhook, ...receiver],
    decisive: 'createSubscription',
    shows: 'rows',
    ends: ofOnce,
  },
  'subscribe list': { words: none, decisive: 'listSubscriptions', shows: 'rows', ends: ofRead },
  'subscribe show': {
    words: (stage) => [subscription(stage)],
    decisive: 'readSubscription',
    shows: 'rows',
    ends: ofRead,
  },
  'subscribe update': {
    words: (stage) => [subscription(stage), '--events', 'presence'],
    decisive: 'updateSubscription',
    shows: 'rows',
    ends: ofChange,
  },
  'subscribe renew': {
    words: (stage) => [subscription(stage)],
    decisive: 'renewSubscription',
    shows: 'rows',
    ends: ofChange,
  },
  'subscribe delete': { words: (stage) => [subscription(stage)], decisive: 'deleteSubscription', ...done },
  'subscribe tail': {
    words: () => ['--events', 'presence'],
    decisive: 'createSubscription',
    shows: 'nothing',
    ends: ofOnce,
    untilLines: 1,
    dialect: 'spec',
  },
  'webhook create': {
    words: () => ['--group', groupId],
    decisive: 'createChatWebhook',
    shows: 'rows',
    ends: ofOnce,
  },
  'webhook list': { words: none, decisive: 'listChatWebhooks', shows: 'rows', ends: ofRead },
  'webhook activate': {
    words: (stage) => [suspendedWebhook(stage)],
    decisive: 'activateChatWebhook',
    ...done,
  },
  'webhook suspend': { words: (stage) => [webhook(stage)], decisive: 'suspendChatWebhook', ...done },
  'webhook delete': { words: (stage) => [webhook(stage), '--yes'], decisive: 'deleteChatWebhook', ...done },
  'webhook post': {
    words: (stage) => [webhook(stage), '--body', 'done'],
    decisive: 'postToChat',
    shows: 'nothing',
    ends: ofOnce,
    isOnce: true,
  },
};

export const setupCases: Readonly<Record<string, CommandCase>> = {
  api: {
    words: () => ['account/~/extension', '--paginate'],
    decisive: 'listExtensions',
    shows: names('101'),
    // It shows any answer of the service.
    ends: [0, ...ofRead],
  },
  init: { words: none, decisive: 'listExtensions', shows: names('201'), ends: ofRead },
  login: {
    words: () => ['--flow', 'password', '--username', 'ada@example.com', '--password-stdin'],
    decisive: 'issueToken',
    shows: names('ada@example.com'),
    ends: [1, 4, 7],
    options: { stdin: 'secret-of-ada\n', env: { UCCTL_TOKEN: undefined } },
  },
  // Its check of the listener fails, because the harness has no network on which a listener could be reached.
  doctor: { words: none, decisive: 'readVersions', shows: names('base-url'), ends: [1], exits: [1] },
  'completion values': {
    words: () => ['--refresh'],
    decisive: 'listExtensions',
    shows: names('102'),
    ends: ofRead,
  },
  'history undo': {
    words: () => ['last', '--yes'],
    before: [['queue', 'assign', '--queue', '201', '--add', '103', '--yes']],
    decisive: 'assignInQueues',
    current: 'assignInQueue',
    shows: names('103', 'ok'),
    ends: ofChange,
  },
};
