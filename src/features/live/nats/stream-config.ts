import type { StreamConfig } from '@nats-io/jetstream';
import { leastRetention } from './retention.ts';
import { subjectsOf } from './subject.ts';

/** The members of a configuration that ucctl sets; the server sets the others. */
type Wanted = Pick<
  StreamConfig,
  | 'subjects'
  | 'retention'
  | 'storage'
  | 'discard'
  | 'discard_new_per_subject'
  | 'max_msgs_per_subject'
  | 'no_ack'
>;

const nanosecondsPerSecond = 1_000_000_000;

/**
 * The configuration of a stream that stores each event once. The server recognizes the ID of a message only in a window
 * of 2 minutes. Later retries are rejected, because each subject has at most one message.
 */
function wantedConfig(stream: string): Wanted {
  return {
    subjects: [subjectsOf(stream)],
    retention: 'limits',
    storage: 'file',
    discard: 'new',
    discard_new_per_subject: true,
    max_msgs_per_subject: 1,
    no_ack: false,
  };
}

/** The configuration with which ucctl creates a stream. @param retainSeconds 0: without a limit. */
export function newStreamConfig(
  stream: string,
  retainSeconds: number,
  replicas: number,
): Wanted & Pick<StreamConfig, 'name' | 'max_age' | 'num_replicas'> {
  return {
    ...wantedConfig(stream),
    name: stream,
    max_age: retainSeconds * nanosecondsPerSecond,
    num_replicas: replicas,
  };
}

/** Why a stream cannot store events once and durably, as `NAME is VALUE, but must be VALUE`; empty if it can. */
export function differencesOf(config: Partial<StreamConfig>, stream: string): readonly string[] {
  const differences = Object.entries(wantedConfig(stream)).flatMap(([name, wanted]) => {
    const found = config[name as keyof Wanted] ?? false;
    const isSame = JSON.stringify(found) === JSON.stringify(wanted);
    return isSame ? [] : [`${name} is ${JSON.stringify(found)}, but must be ${JSON.stringify(wanted)}`];
  });
  const age = (config.max_age ?? 0) / nanosecondsPerSecond;
  return age === 0 || age >= leastRetention
    ? differences
    : [
        ...differences,
        `max_age is ${age} s, but must be 0 or at least ${leastRetention} s, because the service retries for a day`,
      ];
}
