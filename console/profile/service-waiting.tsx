import { timeText } from '../format.ts';
import { useElapsed, Waiting } from '../parts/waiting.tsx';
import { useQuery, type Loaded } from '../query.ts';
import { api } from './api.ts';

/** Milliseconds after which a rate limit can be the reason for the wait. */
const usualMilliseconds = 1500;

interface ServiceWaitingProps {
  readonly query: Pick<Loaded<unknown>, 'data' | 'error'>;
  /** What the page reads. */
  readonly text: string;
}

/** Shown until the first reply of the service. */
export function ServiceWaiting({ query, text }: ServiceWaitingProps) {
  return (
    <Waiting query={query} text={text}>
      <LongWait />
    </Waiting>
  );
}

function LongWait() {
  return useElapsed(usualMilliseconds) ? <BlockedLimits /> : null;
}

/** The usage groups whose requests wait: the service has rejected one with 429, or no request is left. */
function BlockedLimits() {
  const { data } = useQuery('session', ['service'], api.session);
  const blocked = data?.rateLimits?.flatMap(({ group, left, resetsAt, blockedUntil }) => {
    const end = blockedUntil ?? (left === 0 ? resetsAt : undefined);
    return end === undefined ? [] : [`${group} until ${timeText(end)}`];
  });
  if (!blocked || blocked.length === 0) return null;
  return <>The service limits requests of the usage group {blocked.join(', ')}.</>;
}
