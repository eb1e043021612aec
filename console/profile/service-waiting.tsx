import { timeText } from '../format.ts';
import { useElapsed, Waiting } from '../parts/waiting.tsx';
import { useQuery, type Loaded } from '../query.ts';
import { api } from './api.ts';

/** Milliseconds after which a rate limit can be the reason for the wait. */
const usualMilliseconds = 1500;
/** Milliseconds after which a service without a reply is not only slow. */
const longMilliseconds = 8000;

interface ServiceWaitingProps {
  readonly query: Pick<Loaded<unknown>, 'data' | 'error'>;
  /** What the page reads. */
  readonly text: string;
  /** Whether only the service is read, and no reply has arrived. */
  readonly isUnanswered?: boolean;
}

/** Shown until the first reply of the service. */
export function ServiceWaiting({ query, text, isUnanswered = false }: ServiceWaitingProps) {
  return (
    <Waiting query={query} text={text}>
      <LongWait isUnanswered={isUnanswered} />
    </Waiting>
  );
}

function LongWait({ isUnanswered }: { readonly isUnanswered: boolean }) {
  return useElapsed(usualMilliseconds) ? <BlockedLimits isUnanswered={isUnanswered} /> : null;
}

/** The usage groups whose requests wait: the service has rejected one with 429, or no request is left. */
function BlockedLimits({ isUnanswered }: { readonly isUnanswered: boolean }) {
  const isLong = useElapsed(longMilliseconds);
  const { data } = useQuery('session', ['service'], api.session);
  const blocked = data?.rateLimits?.flatMap(({ group, left, resetsAt, blockedUntil }) => {
    const end = blockedUntil ?? (left === 0 ? resetsAt : undefined);
    return end === undefined ? [] : [`${group} until ${timeText(end)}`];
  });
  if (!blocked || blocked.length === 0)
    return isLong && isUnanswered ? <>The service has not replied yet. ucctl waits and retries.</> : null;
  return <>The service limits requests of the usage group {blocked.join(', ')}.</>;
}
