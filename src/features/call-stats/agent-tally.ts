import type { CallLeg, CallLogRecord } from '../../contract/call-log.ts';
import { ownerOf, ownParty, unknownOwner } from './one-call.ts';
import { outcomeOf } from './outcome.ts';
import { callsOf, type AgentStats } from './stats.ts';
import type { CallSession } from './tally.ts';

/** The figures of agents that are counted. */
type AgentCounts = Omit<AgentStats, 'id' | 'name' | 'extensionNumber'>;

const nothing: AgentCounts = {
  inbound: 0,
  outbound: 0,
  unknownDirection: 0,
  answered: 0,
  missedRings: 0,
  talkSeconds: 0,
};

/** The figures that one record of a call adds to those of an agent. */
export interface AgentPart {
  readonly id: string;
  /** Name of the agent in the record. */
  readonly name: string | undefined;
  readonly counts: AgentCounts;
}

/** Returns what a record adds: the call of its owner, or the missed rings of a queue's agents. */
export function agentPartsOf(
  record: Partial<CallLogRecord>,
  { queueId, outcome, talkSeconds }: CallSession,
): readonly AgentPart[] {
  if (queueId === undefined) {
    const isInbound = record.direction === 'Inbound';
    const isOutbound = record.direction === 'Outbound';
    const counts = {
      inbound: Number(isInbound),
      outbound: Number(isOutbound),
      unknownDirection: Number(!isInbound && !isOutbound),
      answered: Number(outcome === 'answered'),
      missedRings: 0,
      talkSeconds,
    };
    const id = ownerOf(record);
    return [{ id, name: id === unknownOwner ? undefined : ownParty(record)?.name, counts }];
  }
  return ringsOf(record)
    .filter(({ leg }) => outcomeOf('Inbound', leg.result) === 'missed')
    .map(({ id, leg }) => ({ id, name: leg.to?.name, counts: { ...nothing, missedRings: 1 } }));
}

/** A leg for which a queue rang the phone of an agent, with the extension ID of the agent. */
interface Ring {
  readonly id: string;
  readonly leg: CallLeg;
}

/** Returns the legs of a record for which a queue rang the phones of agents. */
export function ringsOf({ legs = [] }: Partial<CallLogRecord>): readonly Ring[] {
  return legs.flatMap((leg) => {
    const isRing = leg.legType === 'Hunting' || leg.action === 'Hunting';
    const id = leg.extension?.id;
    return isRing && id !== undefined ? [{ id: String(id), leg }] : [];
  });
}

/** Names and numbers of extensions, if known. */
interface AgentNames {
  nameOf(extensionId: string): string | undefined;
  numberOf(extensionId: string): string | undefined;
}

/** Adds up the figures of each agent. */
export class AgentTally {
  readonly #names: AgentNames;
  readonly #agents = new Map<string, AgentStats>();

  constructor(names: AgentNames) {
    this.#names = names;
  }

  add(parts: readonly AgentPart[]): void {
    for (const { id, name, counts } of parts) {
      const known = this.#agents.get(id) ?? { ...nothing, id, ...this.#named(id, name) };
      this.#agents.set(id, {
        ...known,
        inbound: known.inbound + counts.inbound,
        outbound: known.outbound + counts.outbound,
        unknownDirection: known.unknownDirection + counts.unknownDirection,
        answered: known.answered + counts.answered,
        missedRings: known.missedRings + counts.missedRings,
        talkSeconds: known.talkSeconds + counts.talkSeconds,
      });
    }
  }

  /** Returns the figures of all agents, the agent with most calls first. */
  stats(): readonly AgentStats[] {
    return [...this.#agents.values()].sort((a, b) => callsOf(b) - callsOf(a) || (a.id < b.id ? -1 : 1));
  }

  #named(id: string, name: string | undefined): Pick<AgentStats, 'name' | 'extensionNumber'> {
    return { name: this.#names.nameOf(id) ?? name ?? id, extensionNumber: this.#names.numberOf(id) };
  }
}
