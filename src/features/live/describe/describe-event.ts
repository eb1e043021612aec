import { extensionOf } from '../notification/notification.rows.ts';
import { extensionsText, linesText, queuePresenceText } from './account-text.ts';
import { counted, countOf, membersOf, type Members } from './body-values.ts';
import type { EventNames } from './event-names.ts';
import type { EventText } from './event-text.ts';
import { mailboxText, messageText } from './message-text.ts';
import { acceptanceText, presenceText } from './presence-text.ts';

/** A notification to describe. */
export interface DescribableEvent {
  readonly event: string;
  readonly body?: unknown;
}

/** The information in addition to the notification itself. */
export interface EventKnowledge {
  readonly names: EventNames;
  /** The messages of a mailbox event, newest first, if they were read. */
  readonly messages?: readonly unknown[] | undefined;
  /** The body of the previous presence event of the same person. */
  readonly before?: Members | undefined;
}

interface Subject {
  readonly body: Members;
  readonly who: string;
  readonly id: string | undefined;
}

type Describer = (subject: Subject, knowledge: EventKnowledge) => EventText;

const presence: Describer = ({ body, who }, { names, before }) => presenceText(body, who, names, before);
const wholeMessage: Describer = ({ body, who }, { names }) => messageText(body, who, names);

/** Descriptions by the path of the filter without its query; the first match counts. */
const describers: readonly (readonly [RegExp, Describer])[] = [
  [
    /\/message-store$/,
    ({ body, who }, { names, messages }) => mailboxText(body['changes'], who, names, messages),
  ],
  [/\/message-store\/instant$/, wholeMessage],
  [/\/extension\/[^/]+\/(?:voicemail|fax)$/, wholeMessage],
  [/\/presence\/dnd$/, ({ body, who }) => acceptanceText(body, who)],
  [/\/call-queues\/[^/]+\/presence$/, ({ body, id }, { names }) => queuePresenceText(body, names, id)],
  [/\/presence\/line$/, ({ body, id }, { names }) => linesText(body, names, id)],
  [/\/presence(?:\/line\/presence)?$/, presence],
  [/\/extension(?:\/[^/]+)?$/, ({ body, id }, { names }) => extensionsText(body, names, id)],
];

/** Describes an event: the person and the action. */
export function describeEvent({ event, body }: DescribableEvent, knowledge: EventKnowledge): EventText {
  if (event === 'encrypted') return { head: 'Encrypted event with an unknown key' };
  const [path = '', query = ''] = event.split('?', 2);
  if (/\/subscription\/[^/]+$/.test(path) && query.includes('threshold'))
    return reminderText(membersOf(body));
  const id = extensionOf({ event, body }) ?? idInPath(path);
  const who = knowledge.names.extension(id);
  const [, describer] = describers.find(([pattern]) => pattern.test(path)) ?? [];
  const isEmpty = Object.keys(membersOf(body)).length === 0;
  if (!describer) return { head: `Event ${event}` };
  // The service may omit the body of any event.
  if (isEmpty) return { head: `${shortName(path)} of ${who} changed; the event has no details` };
  return describer({ body: membersOf(body), who, id }, knowledge);
}

function reminderText({ expiresIn }: Members): EventText {
  const seconds = countOf(expiresIn);
  return {
    head:
      seconds > 0
        ? `The subscription expires in ${counted(seconds, 'second', 'seconds')}`
        : 'The subscription expires soon',
  };
}

function idInPath(path: string): string | undefined {
  return /\/(?:extension|call-queues)\/([^/]+)/.exec(path)?.[1];
}

function shortName(path: string): string {
  if (/\/(?:message-store|voicemail|fax)/.test(path)) return 'Messages';
  return /\/presence/.test(path) ? 'Presence' : 'Data';
}
