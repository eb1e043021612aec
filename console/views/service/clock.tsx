import { useState } from 'preact/hooks';
import { api, type Fired } from '../../api.ts';
import { clockMode, sandboxNow, setClock } from '../../clock.ts';
import { momentText, words } from '../../format.ts';
import { Badge } from '../../parts/basics.tsx';
import { perform } from '../../parts/notice.tsx';
import { useOnce } from '../../parts/once.ts';

const hour = 3600;
const steps: readonly (readonly [string, number])[] = [
  ['1 minute', 60],
  ['1 hour', hour],
  ['1 day', 24 * hour],
  ['5 days', 120 * hour],
];
/** Maximum number of listed timers; further timers are only counted. */
const mostListed = 50;

/** The clock, and the timers that fired when it was advanced. */
export function ClockPanel() {
  const [fired, setFired] = useState<readonly Fired[]>();
  const now = sandboxNow.value;
  const isFrozen = clockMode.value === 'frozen';
  const once = useOnce();
  const advance = async (seconds: number): Promise<void> => {
    const result = await perform(() => api.advance(seconds));
    if (!result) return;
    setClock(result.time, result.mode);
    setFired(result.fired);
  };
  const setMode = async (mode: string): Promise<void> => {
    const result = await perform(() => api.setClock(mode));
    if (result) setClock(result.time, result.mode);
  };
  return (
    <section class="panel" aria-labelledby="clock-title">
      <h2 id="clock-title">
        Clock{' '}
        {now !== undefined && (
          <Badge kind={isFrozen ? 'accent' : 'plain'}>{isFrozen ? 'Frozen' : 'Running'}</Badge>
        )}
      </h2>
      {now !== undefined && <p class="big-time">{momentText(new Date(now).toISOString())}</p>}
      <div class="actions">
        <button
          type="button"
          onClick={(event) => void once(() => setMode(isFrozen ? 'real' : 'frozen'), event)}
        >
          {isFrozen ? 'Resume' : 'Freeze'}
        </button>
        {steps.map(([name, seconds]) => (
          <button key={name} type="button" onClick={() => void once(() => advance(seconds))}>
            Advance {name}
          </button>
        ))}
      </div>
      {fired && <FiredList fired={fired} />}
    </section>
  );
}

function FiredList({ fired }: { readonly fired: readonly Fired[] }) {
  if (fired.length === 0) return <p class="quiet">No timer was due.</p>;
  return (
    <>
      <h3>{fired.length === 1 ? '1 timer fired' : `${fired.length} timers fired`}</h3>
      <ol class="lines" aria-label="Fired timers">
        {fired.slice(0, mostListed).map(({ due, kind, subject }, index) => (
          <li key={index}>
            <time dateTime={due}>{momentText(due)}</time>
            <strong>{words(kind)}</strong>
            <span class="quiet cut">{subject}</span>
          </li>
        ))}
      </ol>
      {fired.length > mostListed && <p class="quiet">… and {fired.length - mostListed} more</p>}
    </>
  );
}
