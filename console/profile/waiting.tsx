import { useEffect, useState } from 'preact/hooks';
import { timeText } from '../format.ts';
import { useQuery, type Loaded } from '../query.ts';
import { api } from './api.ts';

/** Milliseconds after which a rate limit can be the reason for the wait. */
const usualMilliseconds = 1500;

interface WaitingProps {
  readonly query: Pick<Loaded<unknown>, 'data' | 'error'>;
  /** What the page reads. */
  readonly text: string;
}

/** Shown until the first reply of the service. */
export function Waiting({ query: { data, error }, text }: WaitingProps) {
  return data === undefined && error === undefined ? <Wait text={text} /> : null;
}

function Wait({ text }: Pick<WaitingProps, 'text'>) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), usualMilliseconds);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class="quiet" role="status">
      {text} {isLong && <BlockedLimits />}
    </p>
  );
}

/** The usage groups whose requests wait, because the service has rejected a request of the group with 429. */
function BlockedLimits() {
  const { data } = useQuery('session', ['service'], api.session);
  const blocked = data?.rateLimits?.flatMap(({ group, blockedUntil }) =>
    blockedUntil === undefined ? [] : [`${group} until ${timeText(blockedUntil)}`],
  );
  if (!blocked || blocked.length === 0) return null;
  return <>The service limits requests of the usage group {blocked.join(', ')}.</>;
}
