import { queueOfCall } from '../../../runtime/queue-of-call.ts';
import { withNumber } from '../../../runtime/with-number.ts';
import { countOf, objectsOf, wordOf, type Members } from './body-values.ts';
import type { EventNames } from './event-names.ts';
import type { EventText } from './event-text.ts';
import { sentenceStart } from './message-text.ts';
import { lookupTable } from '../../../platform/lookup-table.ts';

/** The calls that a person accepts, by `dndStatus`. */
const accepted: Readonly<Record<string, string>> = lookupTable({
  TakeAllCalls: 'takes all calls',
  DoNotAcceptDepartmentCalls: 'does not take queue calls',
  TakeDepartmentCallsOnly: 'takes only queue calls',
  DoNotAcceptAnyCalls: 'does not take calls',
});

const statuses: Readonly<Record<string, string>> = lookupTable({
  Available: 'available',
  Busy: 'busy',
  Offline: 'offline',
});

/** Returns the meaning of `dndStatus`; empty if it is missing. */
function acceptance(status: unknown): string {
  const word = wordOf(status);
  return accepted[word] ?? (word === '' ? '' : `has the call status ${word}`);
}

/** Describes the body of a `/presence/dnd` event. */
export function acceptanceText({ dndStatus }: Members, who: string): EventText {
  return {
    head: `${sentenceStart(who)} ${acceptance(dndStatus) || 'changed which calls they take'}`,
  };
}

/**
 * Describes a presence event. `before` is the previous presence event of the same person, if known. It distinguishes an
 * ended or missed call from a person who was idle all the time.
 */
export function presenceText(
  body: Members,
  who: string,
  names: EventNames,
  before: Members | undefined,
): EventText {
  const subject = sentenceStart(who);
  const call = callText(body, who, names);
  if (call !== undefined && before && call === callText(before, who, names) && hasSameCalls(body, before)) {
    const { head, quote } = changeDuringCall(body, before) ?? { head: call };
    return { head: `${subject} ${head}`, quote };
  }
  const callOrEnd = call ?? endedCallText(body, who, names, before);
  return callOrEnd === undefined ? statusText(body, subject, before) : { head: `${subject} ${callOrEnd}` };
}

/** Describes the status of a person without a call. */
function statusText(body: Members, subject: string, before: Members | undefined): EventText {
  const status = wordOf(body['presenceStatus']) || wordOf(body['userStatus']);
  const dnd = wordOf(body['dndStatus']);
  const isKnownDnd = before !== undefined && wordOf(before['dndStatus']) === dnd;
  // Taking all calls is the normal case, and is only mentioned after a change.
  const showsDnd = dnd !== '' && (dnd === 'TakeAllCalls' ? before !== undefined && !isKnownDnd : true);
  const parts = [
    status === '' ? '' : `is ${statuses[status] ?? status}`,
    body['meetingStatus'] === 'Connected' ? 'is in a meeting' : '',
    showsDnd ? acceptance(dnd) : '',
  ].filter(Boolean);
  const message = wordOf(body['message']);
  return {
    head: `${subject} ${parts.join(', ') || 'changed presence'}`,
    quote: message === '' ? undefined : message,
  };
}

/** The unchanged call of a person whose status changed, by the status of the call. */
const unchangedCalls: Readonly<Record<string, string>> = lookupTable({
  Ringing: 'still ringing',
  CallConnected: 'still on a call',
  OnHold: 'still with a call on hold',
  ParkedCall: 'still with a parked call',
});

/** Describes a change of the status during a call: `is now busy, still ringing`. Undefined without a change. */
function changeDuringCall(body: Members, before: Members): EventText | undefined {
  const changed = (member: string): string => {
    const [word, earlier] = [wordOf(body[member]), wordOf(before[member])];
    return earlier === '' || word === earlier ? '' : word;
  };
  const status = changed('userStatus') || changed('presenceStatus');
  const parts = [
    status === '' ? '' : `is now ${statuses[status] ?? status}`,
    acceptance(changed('dndStatus')),
  ].filter(Boolean);
  const message = wordOf(body['message']);
  const quote = message === wordOf(before['message']) ? '' : message;
  if (parts.length === 0 && quote === '') return undefined;
  return {
    head: `${parts.join(', ') || 'changed presence'}, ${unchangedCallText(body)}`,
    quote: quote === '' ? undefined : quote,
  };
}

function unchangedCallText(body: Members): string {
  const calls = objectsOf(body['activeCalls']);
  const status = callStatus(body, calls) ?? '';
  const call = calls.find(({ telephonyStatus }) => telephonyStatus === status);
  if (status === 'Ringing' && call?.['direction'] === 'Outbound') return 'still calling';
  return unchangedCalls[status] ?? `still with a call in the state ${status}`;
}

/** Whether two events report the same calls, as far as they name them. */
function hasSameCalls(body: Members, before: Members): boolean {
  const ids = ({ activeCalls }: Members): string =>
    objectsOf(activeCalls)
      .map(({ id, sessionId }) => `${wordOf(id)} ${wordOf(sessionId)}`)
      .toSorted()
      .join();
  return ids(body) === ids(before);
}

/** Describes the current call: `is ringing: A → B`. Undefined without a call. */
function callText(body: Members, who: string, names: EventNames): string | undefined {
  const calls = objectsOf(body['activeCalls']);
  const status = callStatus(body, calls);
  if (status === undefined) return undefined;
  const call = calls.find(({ telephonyStatus }) => telephonyStatus === status) ?? calls[0];
  const others = Math.max(calls.filter(isLive).length, countOf(body['totalActiveCalls'])) - 1;
  const more = others > 0 && call ? `, and ${others} more ${others === 1 ? 'call' : 'calls'}` : '';
  const isOutbound = call?.['direction'] === 'Outbound';
  if (status === 'Ringing' && isOutbound && call) return `is calling ${otherEnd(call, names)}${more}`;
  const verb = verbs[status] ?? `has a call in the state ${status}`;
  if (!call) return status === 'Ringing' ? `${verb} (caller not reported)` : verb;
  const lead = status === 'Ringing' && calledOther(call, who, names) === undefined ? 'call from ' : '';
  return `${verb}: ${lead}${route(call, who, names)}${more}`;
}

const verbs: Readonly<Record<string, string>> = lookupTable({
  Ringing: 'is ringing',
  CallConnected: 'is on a call',
  OnHold: 'has a call on hold',
  ParkedCall: 'has a parked call',
});

function isLive({ telephonyStatus, terminationType }: Members): boolean {
  return telephonyStatus !== 'NoCall' && terminationType !== 'final';
}

/** Returns the status of the call to describe; undefined without a call. */
function callStatus({ telephonyStatus }: Members, calls: readonly Members[]): string | undefined {
  const own = wordOf(telephonyStatus);
  if (own !== '') return own === 'NoCall' ? undefined : own;
  const live = calls.find((call) => isLive(call) && wordOf(call['telephonyStatus']) !== '');
  return live && wordOf(live['telephonyStatus']);
}

/** Describes the end of the call in the previous event; undefined if there was no call. */
function endedCallText(
  body: Members,
  who: string,
  names: EventNames,
  before: Members | undefined,
): string | undefined {
  if (before === undefined) return finalCallText(body, who, names);
  const calls = objectsOf(before['activeCalls']);
  const status = callStatus(before, calls);
  if (status === undefined) return undefined;
  const call = calls.find(({ telephonyStatus }) => telephonyStatus === status) ?? calls[0];
  if (status !== 'Ringing') return call ? `ended a call: ${route(call, who, names)}` : 'ended a call';
  if (!call) return 'stopped ringing';
  if (call['direction'] === 'Outbound') return `got no answer from ${otherEnd(call, names)}`;
  // Another agent may have answered a queue call, so it is not called missed.
  if (call['queueCall'] === true) return `stopped ringing: ${route(call, who, names)}`;
  return `missed a call from ${otherEnd(call, names)}`;
}

/** Returns the call that an event reports for the last time. */
function finalCallText(body: Members, who: string, names: EventNames): string | undefined {
  const final = objectsOf(body['activeCalls']).find(({ terminationType }) => terminationType === 'final');
  return final && `ended a call: ${route(final, who, names)}`;
}

/** Describes both ends of a call without repeating the person of the event: `A`, or `A → Support (201)`. */
function route(call: Members, who: string, names: EventNames): string {
  const from = names.party(call['from'], call['fromName']);
  const isQueueCall = call['queueCall'] === true;
  const to = calledOther(call, who, names);
  if (call['direction'] === 'Outbound') return from === who ? `→ ${to ?? who}` : `${from} → ${to ?? who}`;
  if (to === undefined) return isQueueCall ? `${from} (queue call)` : from;
  return `${from} → ${to}`;
}

/** Returns the called party, or the queue of a queue call; undefined for any other inbound call to the person of the event. */
function calledOther(call: Members, who: string, names: EventNames): string | undefined {
  const to =
    call['to'] === undefined && call['toName'] === undefined ? who : names.party(call['to'], call['toName']);
  if (call['direction'] === 'Outbound') return to;
  const queue = queueOfCall(call);
  if (queue) return names.numbered(queue.extensionNumber) ?? withNumber(queue.name, queue.extensionNumber);
  // The service names the called person, but may write a number that is not in the list of extensions.
  const toName = wordOf(call['toName']);
  return to === who || (toName !== '' && who.startsWith(`${toName} (`)) ? undefined : to;
}

function otherEnd(call: Members, names: EventNames): string {
  const isOutbound = call['direction'] === 'Outbound';
  return isOutbound ? names.party(call['to'], call['toName']) : names.party(call['from'], call['fromName']);
}
