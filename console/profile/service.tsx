import type { Finding, OutcomeEntry, RunEntry } from '../../src/commands/console/types.ts';
import { countText, momentText, words } from '../format.ts';
import { Badge, FactList, ViewHeader, type Tone } from '../parts/basics.tsx';
import { useQuery } from '../query.ts';
import { api, page } from './api.ts';
import { Failure } from './failure.tsx';
import { Undo } from './queues.tsx';

/** The state of the profile: checks, settings, session, and the journals of runs and sends. */
export function ServiceView() {
  return (
    <>
      <ViewHeader title="Service" about="Checks, settings and journals of this profile." />
      <div class="columns">
        <div>
          <DoctorPanel />
          <ProfilePanel />
        </div>
        <div>
          <RunPanel />
          <OutcomePanel />
        </div>
      </div>
    </>
  );
}

const resultTones: Readonly<Record<string, Tone>> = { ok: 'good', warn: 'warn', fail: 'bad' };

function DoctorPanel() {
  const { data, error, reload } = useQuery('doctor', [], api.doctor);
  return (
    <section class="panel" aria-label="Checks">
      <div class="panel-head">
        <h2>Checks</h2>
        <button type="button" onClick={reload}>
          Check again
        </button>
      </div>
      <Failure error={error} />
      {!data && error === undefined && <p class="quiet">Checking…</p>}
      <ul class="lines">
        {data?.map((finding: Finding) => (
          <li key={finding.check}>
            <Badge kind={resultTones[finding.result] ?? 'plain'}>{finding.result}</Badge>
            <span class="grow wrap">
              <span>{finding.check}</span>
              <span class="quiet small">{finding.found}</span>
              {finding.todo !== undefined && <span class="small">{finding.todo}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ProfilePanel() {
  const profile = useQuery('profile', [], api.profile);
  const session = useQuery('session', [], api.session);
  return (
    <section class="panel" aria-label="Profile and session">
      <h2>Profile and session</h2>
      <Failure error={profile.error} />
      <FactList facts={factsOf(profile.data)} />
      <Failure error={session.error} />
      <FactList facts={factsOf(session.data)} />
    </section>
  );
}

function factsOf(values: Readonly<Record<string, unknown>> | undefined) {
  return Object.entries(values ?? {}).map(
    ([name, value]) => [words(name), typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
}

function RunPanel() {
  const { data, error } = useQuery('runs', ['service'], api.runs);
  return (
    <section class="panel" aria-label="Runs">
      <h2>Runs</h2>
      <Failure error={error} />
      {data?.length === 0 && <p class="quiet">No runs on this machine.</p>}
      <ul class="lines">
        {data?.slice(0, 50).map((run: RunEntry) => (
          <li key={run.id}>
            <span class="grow wrap">
              <span>{run.title}</span>
              <span class="quiet small">
                {momentText(run.started)} · {run.state} · {countText(run.counts.ok)} done,{' '}
                {countText(run.counts.failed)} failed
              </span>
            </span>
            {!page().isReadOnly && run.state === 'done' && <Undo run={run.id} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function OutcomePanel() {
  const { data, error } = useQuery('outcomes', ['service'], api.outcomes);
  return (
    <section class="panel" aria-label="Sends">
      <h2>Sends</h2>
      <Failure error={error} />
      {data?.length === 0 && <p class="quiet">No messages or calls were sent from this machine.</p>}
      <ul class="lines">
        {data?.slice(0, 50).map((one: OutcomeEntry) => (
          <li key={one.id}>
            <Badge kind={one.state === 'sent' ? 'good' : 'warn'}>{one.state}</Badge>
            <span class="grow wrap">
              <span>
                {one.kind} to {one.to}
              </span>
              <span class="quiet small">{momentText(one.startedAt)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
