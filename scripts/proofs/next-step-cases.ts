/** A command that changes several things, and how its effect is read. */
export interface NextStepCase {
  readonly name: string;
  readonly command: string;
  readonly dialect: 'spec' | 'current';
  readonly file?: { readonly name: string; readonly text: string };
  /** Commands that run first, without a fault. */
  readonly before?: readonly string[];
  /** The command that shows the state. Members that the service assigns, such as IDs of new records, are not compared. */
  readonly state: string;
}

const members = {
  name: 'members.csv',
  text: 'queue,extension,action\nSupport,101,add\nSales,102,add\nSupport,103,remove\n',
};
const queues = {
  name: 'queues.yaml',
  text: `queues:
  - queue: Support
    settings: { alertTimer: 45 }
    agents: [102]
  - queue: New
    create: true
    settings: { name: New, number: "290", alertTimer: 60 }
    agents: [101]
`,
};
const hours = {
  name: 'hours.yaml',
  text: `hours:
  - owner: company
    saturday: 10:00-14:00
  - owner: 102
    monday: 08:00-12:00
`,
};
const rules = {
  name: 'rules.yaml',
  text: `rules:
  - extension: 102
    name: Holiday
    callHandlingAction: TakeMessagesOnly
  - extension: 104
    name: Holiday
    callHandlingAction: TakeMessagesOnly
`,
};
const people = { name: 'people.csv', text: 'agent,department\n102,Night\n104,Night\n107,Day\n' };

const applyMembers = 'queue apply -f members.csv --yes --max-removals 9';
const applyQueues = 'queue apply -f queues.yaml --yes --max-removals 9';
const applyHours = 'hours apply -f hours.yaml --yes';
const setPresence = 'presence set 101 102 --message lunch --yes';
const undo = 'history undo last --yes';

// The sandbox assigns the same IDs in every run.
const firstMessage = '401654758001';
const subscription = '755dac37-2902-4e2e-a976-249c4e03b160';
const sendText = 'sms send --to +12025550111 hi --yes';
const deleteText = `message delete ${firstMessage} --yes`;
const subscribe = 'subscribe create --events presence --transport channel';
const everyMessage =
  'message list --since 30d --availability Alive,Deleted,Purged --json=availability,readStatus';
const queueCalls = 'queue availability Support --agent 102 --off';

/** The commands of the proof. */
export const nextStepCases: readonly NextStepCase[] = [
  {
    name: 'queue assign',
    command: 'queue assign --queue Support --add 101,107 --yes',
    dialect: 'spec',
    state: 'queue export Support',
  },
  {
    name: 'queue apply of a list',
    command: applyMembers,
    dialect: 'spec',
    file: members,
    state: 'queue export Support Sales',
  },
  {
    name: 'undo of a list',
    command: undo,
    dialect: 'spec',
    file: members,
    before: [applyMembers],
    state: 'queue export Support Sales',
  },
  {
    name: 'queue apply with settings',
    command: applyQueues,
    dialect: 'current',
    file: queues,
    state: 'queue export',
  },
  {
    name: 'undo of settings',
    command: undo,
    dialect: 'current',
    file: queues,
    before: [applyQueues],
    state: 'queue export',
  },
  {
    name: 'hours apply',
    command: applyHours,
    dialect: 'current',
    file: hours,
    state: 'hours list company 102',
  },
  {
    name: 'undo of hours',
    command: undo,
    dialect: 'current',
    file: hours,
    before: [applyHours],
    state: 'hours list company 102',
  },
  {
    name: 'rule apply',
    command: 'rule apply -f rules.yaml --yes',
    dialect: 'current',
    file: rules,
    state: 'rule list 102 104',
  },
  {
    name: 'agent apply',
    command: 'agent apply -f people.csv --yes',
    dialect: 'current',
    file: people,
    state: 'agent export',
  },
  { name: 'presence set', command: setPresence, dialect: 'spec', state: 'presence show 101 102' },
  {
    name: 'undo of presence',
    command: undo,
    dialect: 'spec',
    before: [setPresence],
    state: 'presence show 101 102',
  },
  {
    name: 'own presence',
    command: 'presence set --message lunch --yes',
    dialect: 'spec',
    state: 'presence show',
  },
  { name: 'availability', command: queueCalls, dialect: 'current', state: 'queue availability Support' },
  {
    name: 'message unread',
    command: `message unread ${firstMessage}`,
    dialect: 'spec',
    before: [sendText],
    state: everyMessage,
  },
  { name: 'message delete', command: deleteText, dialect: 'spec', before: [sendText], state: everyMessage },
  {
    name: 'message restore',
    command: `message restore ${firstMessage}`,
    dialect: 'spec',
    before: [sendText, deleteText],
    state: everyMessage,
  },
  {
    name: 'message purge',
    command: `message purge ${firstMessage} --yes`,
    dialect: 'spec',
    before: [sendText],
    state: everyMessage,
  },
  {
    name: 'subscribe update',
    command: `subscribe update ${subscription} --events messages`,
    dialect: 'spec',
    before: [subscribe],
    state: 'subscribe list --json=eventFilters,status',
  },
];
