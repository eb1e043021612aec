import { listed, membersOf, objectsOf, wordOf, type Members } from './body-values.ts';
import type { EventNames } from './event-names.ts';
import type { EventText } from './event-text.ts';
import { sentenceStart } from './message-text.ts';
import { lookupTable } from '../../../platform/lookup-table.ts';

const verbs: Readonly<Record<string, string>> = lookupTable({
  Create: 'was created',
  Update: 'was changed',
  Delete: 'was deleted',
});

/** The meaning of the hints of an extension event. */
const hintWords: Readonly<Record<string, string>> = lookupTable({
  AccountSettings: 'account settings',
  AccountStatus: 'account status',
  AnsweringRules: 'answering rules',
  CompanyNumbers: 'company numbers',
  DialingPlan: 'dialing plan',
  ExtensionInfo: 'name or contact data',
  Features: 'features',
  Limits: 'limits',
  Permissions: 'permissions',
  ProfileImage: 'profile image',
  VideoConfiguration: 'video configuration',
  CallQueueMembersChange: 'queue members',
});

/** Describes an event of the list of extensions, or of one extension. */
export function extensionsText(body: Members, names: EventNames, subjectId?: string): EventText {
  const listedOnes = objectsOf(body['extensions']);
  const all = listedOnes.length > 0 ? listedOnes : [body];
  const sentences = all.map((one) => extensionSentence(one, names, subjectId));
  const [first = 'Extensions changed'] = sentences;
  return { head: sentences.length > 1 ? `${first}, and ${sentences.length - 1} more` : first };
}

function extensionSentence(
  { extensionId, eventType, hints }: Members,
  names: EventNames,
  subjectId?: string,
): string {
  const who = names.extension(wordOf(extensionId) || subjectId);
  const words = (Array.isArray(hints) ? hints : []).map(wordOf).filter(Boolean);
  if (words.length === 1 && words[0] === 'CallQueueMembersChange') return `The members of ${who} changed`;
  const verb = verbs[wordOf(eventType)] ?? 'was changed';
  return `${sentenceStart(who)} ${verb}${words.length > 0 ? ` (${listed(words.map((word) => hintWords[word] ?? word))})` : ''}`;
}

/** Describes an event of monitored lines, which contains IDs but no status. */
export function linesText(body: Members, names: EventNames, monitorId?: string): EventText {
  const { extension, extensions } = body;
  const value = extension ?? extensions;
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const ids = all
    .map((one) => wordOf(one) || wordOf(membersOf(one)['id'] ?? membersOf(one)['extensionId']))
    .filter(Boolean);
  if (ids.length > 0)
    return {
      head: `The ${ids.length === 1 ? 'line' : 'lines'} of ${listed(ids.map((id) => names.extension(id)))} changed`,
    };
  return { head: `A line that ${names.extension(monitorId)} monitors changed` };
}

/** Describes an event of `/call-queues/{id}/presence`: whether a member takes calls from the queue. */
export function queuePresenceText(body: Members, names: EventNames, queueId?: string): EventText {
  const id = wordOf(membersOf(body['member'])['id']) || wordOf(body['extensionId']);
  const who = sentenceStart(names.extension(id));
  const queue = queueId === undefined ? 'the queue' : (names.known(queueId) ?? `queue ${queueId}`);
  const takes = body['acceptCurrentQueueCalls'] ?? body['acceptQueueCalls'];
  if (typeof takes !== 'boolean') return { head: `${who} changed whether they take calls from ${queue}` };
  return { head: `${who} ${takes ? 'takes' : 'does not take'} calls from ${queue}` };
}
