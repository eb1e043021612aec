import { Dice } from '../../support/dice.ts';
import type { Fault } from './fault.ts';

type Json = Readonly<Record<string, unknown>>;

/** Members of each frame without which a client cannot work; all others may be missing. */
const needed = new Set([
  'type',
  'messageId',
  'status',
  'wsc',
  'token',
  'sequence',
  'event',
  'uuid',
  'id',
  'eventFilters',
]);
const idNames = new Set(['id', 'subscriptionId', 'ownerId', 'extensionId']);

/**
 * A service whose frames differ from the documents in ways that a client must accept: optional members are missing, unknown
 * members are present, members have another order, and ids are numbers or strings.
 */
export function variant(seed: number): Fault {
  const dice = new Dice(`variant of WebSocket frames ${seed}`);
  const vary = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(vary);
    if (typeof value !== 'object' || value === null) return value;
    return varyMembers(value as Json, dice, vary);
  };
  const varyFrame = (frame: string): string => {
    const [meta, body] = JSON.parse(frame) as [Json, unknown];
    return JSON.stringify([vary(meta), vary(body)], undefined, dice.chance(0.3) ? 1 : undefined);
  };
  let isCut = false;
  return {
    name: `frames of variant ${seed}`,
    tokens: 2,
    frame: varyFrame,
    // One connection is lost, so that positions are read as well.
    event: ({ frame, id }) => {
      if (id !== 10 || isCut) return [frame];
      isCut = true;
      return 'cut';
    },
  };
}

function varyMembers(record: Json, dice: Dice, vary: (value: unknown) => unknown): Json {
  const members = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    // The body of an event is for the reader of the events.
    if (name === 'changes') return [[name, value]];
    if (!needed.has(name) && name !== 'body' && dice.chance(0.3)) return [];
    if (idNames.has(name) && typeof value === 'string' && /^\d+$/.test(value) && dice.chance(0.5))
      return [[name, Number(value)]];
    return [[name, vary(value)]];
  });
  if (dice.chance(0.4))
    members.push([`unknown${dice.integer(1, 9)}`, dice.pick([null, [], {}, 'text', 7, true])]);
  return Object.fromEntries(dice.shuffled(members));
}

/** Answers to a subscription that do not prove that it exists. */
export const unprovenSubscriptions: readonly (readonly [name: string, status: number, body: unknown])[] = [
  ['without a body', 200, undefined],
  ['without an id', 200, { eventFilters: [], status: 'Active' }],
  ['with an empty id', 200, { id: '' }],
  ['with an id that is an object', 200, { id: {} }],
  ['that is a list', 200, [{ id: '1' }]],
  ['that is a text', 200, 'ok'],
  ['without a status', 0, { id: '1' }],
  ['with a redirect', 302, { id: '1' }],
];
