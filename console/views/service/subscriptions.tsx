import { api } from '../../api.ts';
import { momentText } from '../../format.ts';
import { Badge, Problem } from '../../parts/basics.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useQuery } from '../../query.ts';

/** The subscriptions of programs. */
export function SubscriptionPanel() {
  const query = useQuery('subscriptions', ['events'], api.subscribers);
  const { data, problem } = query;
  return (
    <section class="panel" aria-labelledby="subscriptions-title">
      <h2 id="subscriptions-title">Subscriptions</h2>
      <Problem text={problem} />
      <Waiting query={query} />
      {data?.records.length === 0 && <p class="quiet">No program has subscribed to events.</p>}
      <ul class="lines" aria-label="Subscriptions">
        {data?.records.map((one) => (
          <li key={one.id} class="tall">
            <span class="grow">
              <strong class="cut">{one.address}</strong>
              <span class="quiet small">
                {one.transport}, until {momentText(one.expires)}
              </span>
              <span class="quiet small wrap">{one.filters.join(', ')}</span>
            </span>
            <Badge kind={one.status === 'Active' ? 'good' : 'bad'}>{one.status}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}
