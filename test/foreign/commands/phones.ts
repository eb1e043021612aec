import {
  idText,
  memberNumber,
  myTelephone,
  otherTelephone,
  outsiderNumber,
  queueName,
  queueNumber,
} from '../service/world.ts';
import { isMembers } from '../service/shape.ts';
import { names, ofChange, ofLookedAt, ofOnce, ofRead, type CommandCase, type Stage } from './command-case.ts';

const call = ['ringout', 'start', '--to', otherTelephone, '--yes'];
const none = (): readonly string[] => [];
const add = ['--queue', queueNumber, '--add', outsiderNumber, '--yes'];
const file = ['-f', 'plan.csv'];
/** Both agents of the queue. */
const members = names('101', memberNumber);

const assigned: Pick<CommandCase, 'decisive' | 'current' | 'shows' | 'ends'> = {
  decisive: 'assignInQueues',
  current: 'assignInQueue',
  shows: names(outsiderNumber, 'added'),
  ends: ofLookedAt,
};

const ofHours = { dialect: 'current', decisive: 'readHours', shows: names('monday') } as const;
const ofRules = { dialect: 'current', decisive: 'listRules', shows: names('after-hours-rule') } as const;

export const phoneCases: Readonly<Record<string, CommandCase>> = {
  'queue list': { words: none, decisive: 'listExtensions', shows: 'rows', ends: ofRead },
  'queue show': { words: () => [queueName], decisive: 'listQueueMembers', shows: members, ends: ofRead },
  'queue members': { words: () => [queueNumber], decisive: 'listQueueMembers', shows: 'rows', ends: ofRead },
  'queue export': { words: () => [queueName], decisive: 'listQueueMembers', shows: members, ends: ofRead },
  'queue watch': {
    words: () => [queueName, '--poll'],
    decisive: 'listQueueMembers',
    shows: names(memberNumber),
    ends: ofRead,
    untilLines: 2,
  },
  'queue plan': {
    words: () => file,
    decisive: 'listQueueMembers',
    shows: names(outsiderNumber),
    ends: ofRead,
  },
  'queue diff': {
    words: () => ['--file', 'queues.yaml'],
    decisive: 'readQueue',
    shows: names('alertTimer', '45'),
    ends: ofRead,
    dialect: 'current',
  },
  'queue availability': {
    words: () => [queueNumber, '--agent', memberNumber, '--off'],
    decisive: 'updateQueuePresence',
    shows: names(memberNumber),
    ends: ofLookedAt,
    dialect: 'current',
  },
  'queue apply': { words: () => [...file, '--yes'], ...assigned },
  'queue assign': { words: () => add, ...assigned },
  'queue unassign': {
    words: () => [queueNumber, memberNumber, '--yes'],
    ...assigned,
    shows: names(memberNumber, 'removed'),
  },
  ...Object.fromEntries(
    ['list', 'export'].flatMap((verb) => [
      [`hours ${verb}`, { ...ofHours, words: none, ends: ofRead }],
      [`rule ${verb}`, { ...ofRules, words: () => [memberNumber], ends: ofRead }],
    ]),
  ),
  'account export': {
    words: () => ['company'],
    dialect: 'current',
    decisive: 'readHours',
    shows: names('queues.yaml', 'rules.yaml'),
    ends: ofRead,
  },
  'account diff': {
    words: () => ['company'],
    before: [['account', 'export', 'company']],
    dialect: 'current',
    decisive: 'readHours',
    shows: 'nothing',
    ends: ofRead,
  },
  'hours plan': { ...ofHours, words: () => ['-f', 'hours.yaml'], ends: ofRead },
  'hours apply': {
    words: () => ['-f', 'hours.yaml', '--yes'],
    dialect: 'current',
    decisive: 'updateHours',
    shows: names('07:00-09:30', 'changed'),
    ends: ofLookedAt,
  },
  'rule plan': { ...ofRules, words: () => ['-f', 'rules.yaml'], ends: ofRead },
  'rule apply': {
    words: () => ['-f', 'rules.yaml', '--yes'],
    dialect: 'current',
    decisive: 'updateRule',
    // The rule that is served may already be disabled.
    shows: names('calledNumbers', 'changed'),
    ends: ofLookedAt,
  },
  'audit list': {
    words: none,
    dialect: 'current',
    decisive: 'searchAuditTrail',
    shows: 'rows',
    ends: ofRead,
  },
  'agent list': { words: none, decisive: 'listQueueMembers', shows: members, ends: ofRead },
  'agent show': {
    words: () => [memberNumber],
    decisive: 'listQueueMembers',
    current: 'listQueues',
    shows: names(memberNumber, queueNumber),
    ends: ofRead,
  },
  'agent export': { words: none, decisive: 'listExtensions', shows: names('agents'), ends: ofRead },
  'agent plan': {
    words: () => ['-f', 'people.csv'],
    dialect: 'current',
    decisive: 'readExtension',
    shows: names('Night shift'),
    ends: ofRead,
  },
  'agent apply': {
    words: () => ['-f', 'people.csv', '--yes'],
    dialect: 'current',
    decisive: 'updateExtensions',
    shows: names('Night shift', 'changed'),
    ends: ofLookedAt,
  },
  'agent availability': {
    words: () => [memberNumber],
    decisive: 'readQueuePresenceOfPerson',
    shows: names(queueNumber, queueName),
    ends: ofRead,
    dialect: 'current',
  },
  'presence show': { words: () => [memberNumber], decisive: 'readPresence', shows: 'rows', ends: ofRead },
  'presence set': {
    words: () => [memberNumber, '--message', 'lunch', '--yes'],
    decisive: 'updatePresence',
    shows: names('lunch'),
    ends: ofLookedAt,
  },
  'presence watch': {
    words: () => [memberNumber, '--poll'],
    decisive: 'readPresence',
    shows: names(memberNumber),
    // A person without a readable presence is shown as unknown, until a reply can be read.
    ends: [0, 1],
    untilLines: 1,
  },
  'ringout start': {
    words: () => ['--to', otherTelephone, '--yes'],
    decisive: 'startRingOut',
    shows: callShown,
    ends: ofOnce,
    isOnce: true,
  },
  'ringout status': {
    words: started,
    before: [call],
    decisive: 'readRingOut',
    shows: callShown,
    ends: ofRead,
  },
  'ringout cancel': {
    words: started,
    before: [call],
    decisive: 'cancelRingOut',
    shows: 'nothing',
    ends: ofChange,
  },
  'ringout numbers': {
    words: none,
    decisive: 'listForwardingNumbers',
    shows: names(myTelephone),
    ends: ofRead,
  },
  'ringout caller-ids': {
    words: none,
    decisive: 'listPhoneNumbers',
    shows: names(myTelephone),
    ends: ofRead,
  },
};

function started({ service }: Stage): readonly string[] {
  const row = service.world.ringOuts[0];
  return row ? [idText(row.value['id'])] : ['4711'];
}

/** The call's id, and the statuses that were served. */
function callShown(shown: unknown, stage: Stage): string | undefined {
  const [served] = stage.service.exchanges.filter(({ rows }) => rows.length > 0).slice(-1)[0]?.rows ?? [];
  const { status } = served ?? {};
  const known = ['callStatus', 'callerStatus', 'calleeStatus'].map((name) =>
    isMembers(status) ? status[name] : undefined,
  );
  const words = known.filter((value) => typeof value === 'string');
  return names(idText(served?.['id']), ...words)(shown);
}
