import { messageReport, messageReportFile } from './shapes/message-reports.ts';
import { smsBatch, smsBatchMessage } from './shapes/sms-batches.ts';
import { Dice } from '../../support/dice.ts';
import { idOf, makeRecord, momentOf, toJson, type Setting } from './make.ts';
import type { Members, RecordShape, Value } from './shape.ts';
import { auditRecord } from './shapes/audit.ts';
import { callRecord } from './shapes/calls.ts';
import { extension, forwardingNumber, phoneNumber } from './shapes/directory.ts';
import { chatWebhook, subscription } from './shapes/events.ts';
import { answeringRule, businessHours } from './shapes/hours.ts';
import { message } from './shapes/messages.ts';
import { presence } from './shapes/presence.ts';

/** One item of the service with all its members, of which each reply contains a part. */
export interface Row {
  readonly shape: RecordShape;
  value: Members;
  /** Members that replies always contain: a test finds the row by them, or they prove that a change was made. */
  pinned: readonly string[];
}

/** The signed-in user, and the queue that tests name. */
const myNumber = '101';
export const myTelephone = '+16505550101';
export const otherTelephone = '+14155550142';
export const queueNumber = '201';
export const queueName = 'Support';
/** Colleagues that tests name: the first is a member of the queue, the second is not. */
export const memberNumber = '102';
export const outsiderNumber = '103';
export const groupId = '3301';
/** The text of a message that is already deleted. */
export const deletedText = 'deleted before';

/** An id in the form of the documents, for comparisons. */
export function idText(value: Value | undefined): string {
  return typeof value === 'object' ? toJson(value) : String(value);
}

/** Changes a row; later replies contain the change. */
export function change(row: Row, members: Members): void {
  row.value = { ...row.value, ...members };
  row.pinned = [...row.pinned, ...Object.keys(members)];
}

/** All data of the service; generated from a seed, changed by requests. */
export class World {
  readonly extensions: Row[] = [];
  /** Extension ids by the id of the queue. */
  readonly members = new Map<string, Set<string>>();
  readonly presences = new Map<string, Row>();
  /** Settings of queues by the id of the queue. */
  readonly queueSettings = new Map<string, Members>();
  /** The agents who do not accept the calls of a queue, as `queue/agent`; changed states are always served. */
  readonly acceptance = new Map<string, boolean>();
  readonly phoneNumbers: Row[] = [];
  readonly forwardingNumbers: Row[] = [];
  readonly messages: Row[] = [];
  readonly calls: Row[] = [];
  readonly activeCalls: Row[] = [];
  readonly subscriptions: Row[] = [];
  readonly chatWebhooks: Row[] = [];
  readonly ringOuts: Row[] = [];
  readonly auditRecords: Row[] = [];
  readonly smsBatches: Row[] = [];
  readonly smsBatchMessages: Row[] = [];
  readonly messageReports: Row[] = [];
  readonly messageReportFiles: Row[] = [];
  readonly tasks: Row[] = [];
  readonly rules: Row[] = [];
  readonly hours = new Map<string, Row>();
  readonly seed: number;
  readonly setting: Setting;
  readonly dice: Dice;

  constructor(seed: number, setting: Setting) {
    this.seed = seed;
    this.dice = new Dice(`world ${seed}`);
    this.setting = setting;
    this.#fillDirectory();
    this.#fillNumbers();
    this.#fillMailbox();
    this.#fillCalls();
    for (const id of ['business-hours-rule', 'after-hours-rule'])
      this.rules.push(this.row(answeringRule, { id, name: id }, ['name']));
    this.#fillBatches();
    this.messageReports.push(this.row(messageReport, { status: 'Completed' }, ['status']));
    const uri = `${this.setting.origin}/media/report-1`;
    this.messageReportFiles.push(this.row(messageReportFile, { uri }));
    for (let index = 0; index < 3; index += 1) this.auditRecords.push(this.row(auditRecord, {}));
    for (let index = 0; index < 2; index += 1) {
      this.subscriptions.push(this.#subscription(index));
      this.chatWebhooks.push(this.#chatWebhook(index));
    }
  }

  #fillBatches(): void {
    const batch = this.row(smsBatch, { from: myTelephone, batchSize: 2 });
    this.smsBatches.push(batch, this.row(smsBatch, {}));
    for (const to of [otherTelephone, '+16505550113'])
      this.smsBatchMessages.push(
        this.row(smsBatchMessage, { batchId: batch.value['id'] ?? '', to: [to] }, ['batchId', 'to']),
      );
  }

  /** A copy of this world, which can be changed independently. */
  copy(): World {
    const copy = new World(this.seed, this.setting);
    for (const name of rowLists) copy[name].splice(0, Infinity, ...this[name].map((row) => ({ ...row })));
    for (const [id, ids] of this.members) copy.members.set(id, new Set(ids));
    for (const [id, row] of this.hours) copy.hours.set(id, { ...row });
    for (const [id, row] of this.presences) copy.presences.set(id, { ...row });
    for (const [id, settings] of this.queueSettings) copy.queueSettings.set(id, settings);
    for (const [key, accepts] of this.acceptance) copy.acceptance.set(key, accepts);
    return copy;
  }

  /** A new row of a shape: the given members, and random values for the others. */
  row(shape: RecordShape, given: Members, pinned: readonly string[] = []): Row {
    return { shape, value: { ...makeRecord(shape, this.dice, this.setting), ...given }, pinned };
  }

  extensionBy(name: 'extensionNumber' | 'id', value: string): Row | undefined {
    return this.extensions.find((row) => idText(row.value[name]) === value);
  }

  get me(): Row {
    const row = this.extensionBy('extensionNumber', myNumber);
    if (!row) throw new Error('nobody is signed in');
    return row;
  }

  /** Presence of an extension; `~` is the signed-in user. */
  presenceOf(asked: string): Row | undefined {
    const who = asked === '~' ? this.me : this.extensionBy('id', asked);
    if (!who) return undefined;
    const key = idText(who.value['id']);
    const known = this.presences.get(key);
    if (known) return known;
    const { id = 0, extensionNumber = '' } = who.value;
    const row = this.row(
      presence,
      {
        extension: { id, extensionNumber, uri: this.#uri(`extension/${key}`) },
        dndStatus: 'TakeAllCalls',
        userStatus: 'Available',
        presenceStatus: 'Available',
        telephonyStatus: 'NoCall',
        message: '',
        allowSeeMyPresence: true,
        ringOnMonitoredCall: false,
        pickUpCallsOnHold: false,
      },
      ['extension'],
    );
    this.presences.set(key, row);
    return row;
  }

  /** Business hours of an extension, or of the company. */
  hoursOf(owner: string): Row {
    const known = this.hours.get(owner);
    if (known) return known;
    const monday = [{ from: '09:00', to: '17:00' }];
    const row = this.row(businessHours, { schedule: { weeklyRanges: { monday } } }, ['schedule']);
    this.hours.set(owner, row);
    return row;
  }

  /** A person or queue that a request creates; all of its members that were sent are served. */
  addExtension(given: Members): Row {
    const row = this.row(extension, { id: idOf(this.dice), status: 'Enabled', ...given }, Object.keys(given));
    this.extensions.push(row);
    if (given['type'] === 'Department') this.members.set(idText(row.value['id']), new Set());
    return row;
  }

  addMessage(given: Members): Row {
    const id = idOf(this.dice);
    const row = this.row(message, {
      id,
      uri: this.#uri(`extension/1/message-store/${id}`),
      availability: 'Alive',
      creationTime: momentOf(this.setting.now - 60_000 * (this.messages.length + 1), this.dice),
      messageStatus: 'Sent',
      readStatus: 'Unread',
      ...given,
    });
    const made: Row = { ...row, pinned: given['subject'] === undefined ? [] : anchored };
    this.messages.push(made);
    return made;
  }

  #uri(path: string): string {
    return `${this.setting.origin}/restapi/v1.0/account/1/${path}`;
  }

  #person(extensionNumber: string, name: string, type: string, isAnchor = true): Row {
    const given = { id: idOf(this.dice), extensionNumber, name, type, status: 'Enabled' };
    const row = this.row(extension, given, isAnchor ? ['extensionNumber', 'name', 'type', 'status'] : []);
    this.extensions.push(row);
    return row;
  }

  #fillDirectory(): void {
    const me = this.#person(myNumber, 'Ada Admin', 'User');
    const member = this.#person(memberNumber, 'Ben Member', 'User');
    this.#person(outsiderNumber, 'Cleo Other', 'User');
    this.#person('104', 'Loose Person', 'User', false);
    const queue = this.#person(queueNumber, queueName, 'Department');
    const loose = this.#person('202', 'Loose Queue', 'Department', false);
    this.members.set(
      idText(queue.value['id']),
      new Set([me, member].map(({ value }) => idText(value['id']))),
    );
    this.members.set(idText(loose.value['id']), new Set([idText(me.value['id'])]));
  }

  #fillNumbers(): void {
    const numbers = [myTelephone, '+16505550199'];
    for (const [index, number] of numbers.entries()) {
      const pinned = index === 0 ? ['phoneNumber', 'features', 'usageType', 'primary'] : [];
      const common = { id: idOf(this.dice), phoneNumber: number, primary: index === 0 };
      this.phoneNumbers.push(
        this.row(
          phoneNumber,
          { ...common, features: ['SmsSender', 'CallerId'], usageType: 'DirectNumber', type: 'VoiceFax' },
          pinned,
        ),
      );
      this.forwardingNumbers.push(
        this.row(forwardingNumber, { ...common, features: ['CallForwarding'] }, pinned),
      );
    }
  }

  #fillMailbox(): void {
    const me = { phoneNumber: myTelephone, extensionNumber: myNumber };
    const other = { phoneNumber: otherTelephone };
    const colleague = { extensionNumber: memberNumber, extensionId: this.extensions[1]?.value['id'] ?? 0 };
    const conversationId = idOf(this.dice);
    const sent = { from: me, to: [other], direction: 'Outbound', conversationId };
    this.addMessage({ ...sent, type: 'SMS', subject: 'hello' });
    this.addMessage({ ...sent, type: 'SMS', subject: 'back', from: other, to: [me], direction: 'Inbound' });
    this.addMessage({ ...sent, type: 'Pager', subject: 'page', to: [colleague] });
    for (const [type, contentType, direction] of [
      ['Fax', 'application/pdf', 'Outbound'],
      ['VoiceMail', 'audio/x-wav', 'Inbound'],
    ] as const) {
      const row = this.addMessage({
        type,
        subject: type,
        direction,
        from: other,
        to: [other],
        messageStatus: 'Queued',
      });
      const id = idText(row.value['id']);
      const uri = this.#uri(`extension/1/message-store/${id}/content/${id}`);
      row.value = {
        ...row.value,
        attachments: [{ id: row.value['id'] ?? 0, uri, contentType, size: media.length }],
      };
    }
    this.addMessage({ type: 'SMS', direction: 'Inbound', conversationId });
    this.addMessage({ ...sent, type: 'SMS', subject: deletedText, availability: 'Deleted' });
  }

  #fillCalls(): void {
    for (let index = 0; index < 3; index += 1) {
      const id = idOf(this.dice);
      const recording = idOf(this.dice);
      const given = {
        id,
        sessionId: String(idOf(this.dice)),
        uri: this.#uri(`call-log/${id}`),
        startTime: momentOf(this.setting.now - 600_000 * (index + 1), this.dice),
        recording: {
          id: recording,
          uri: this.#uri(`recording/${recording}`),
          type: 'Automatic',
          contentUri: this.#uri(`recording/${recording}/content`),
        },
      };
      this.calls.push(this.row(callRecord, given, index === 0 ? ['sessionId', 'startTime'] : []));
      if (index < 2) this.activeCalls.push(this.row(callRecord, { ...given, id: idOf(this.dice) }));
    }
  }

  #subscription(index: number): Row {
    const id = `sub-${index}-${this.dice.integer(1000, 9999)}`;
    return this.row(subscription, {
      id,
      uri: `${this.setting.origin}/restapi/v1.0/subscription/${id}`,
      eventFilters: ['/restapi/v1.0/account/1/extension/2/presence'],
      status: 'Active',
    });
  }

  #chatWebhook(index: number): Row {
    const id = `hook-${index}-${this.dice.integer(1000, 9999)}`;
    const uri = `${this.setting.origin}/webhook/v2/${id}`;
    return this.row(
      chatWebhook,
      { id, uri, status: index === 0 ? 'Active' : 'Suspended', groupIds: [groupId] },
      index === 0 ? ['uri'] : [],
    );
  }
}

const rowLists = [
  'extensions',
  'phoneNumbers',
  'forwardingNumbers',
  'messages',
  'calls',
  'activeCalls',
  'subscriptions',
  'chatWebhooks',
  'ringOuts',
  'auditRecords',
  'smsBatches',
  'smsBatchMessages',
  'messageReports',
  'messageReportFiles',
  'tasks',
  'rules',
] as const;

const anchored = [
  'type',
  'direction',
  'from',
  'to',
  'conversationId',
  'attachments',
  'creationTime',
  'readStatus',
  'messageStatus',
  'availability',
  'subject',
];

/** Content of every attachment and recording. */
export const media = Buffer.from('RIFF0000WAVE the sound of a foreign service');
