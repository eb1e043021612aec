import type { Finding, OutcomeEntry, RunEntry, SessionFacts } from '../../src/commands/console/types.ts';
import { countText, momentText, timeText, words } from '../format.ts';
import { Badge, FactList, Newest, ViewHeader, type Tone } from '../parts/basics.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { useQuery, type Loaded } from '../query.ts';
import { api, page } from './api.ts';
import { Failure } from './failure.tsx';
import { ServiceWaiting } from './service-waiting.tsx';
import { Undo } from './undo.tsx';

/** The state of the profile: checks, settings, session, and the journals of runs and sends. */
export function ServiceView() {
  const findings = useQuery('doctor', [], api.doctor);
  const session = useQuery('session', ['service'], api.session);
  return (
    <>
      <ViewHeader title="Service" about="Checks, settings and journals of this profile." />
      <div class="columns">
        <div>
          <DoctorPanel findings={findings} />
          <ProfilePanel session={session} />
        </div>
        <div>
          <LimitPanel session={session} />
          <PermissionPanel session={session} findings={findings} />
          <RunPanel />
          <OutcomePanel />
        </div>
      </div>
    </>
  );
}

const resultTones: Readonly<Record<string, Tone>> = { ok: 'good', warn: 'warn', fail: 'bad' };

interface DoctorProps {
  readonly findings: Loaded<readonly Finding[]>;
}
interface SessionProps {
  readonly session: Loaded<SessionFacts & Readonly<Record<string, unknown>>>;
}

function DoctorPanel({ findings: { data, error, reload } }: DoctorProps) {
  return (
    <section class="panel" aria-label="Checks">
      <div class="panel-head">
        <h2>Checks</h2>
        <button type="button" onClick={reload}>
          Check again
        </button>
      </div>
      <Failure error={error} />
      <ServiceWaiting query={{ data, error }} text="Checking…" />
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

/** Number of listed runs and sends. */
const mostListed = 50;

/** Facts of the session that have their own panels. */
const ownPanels: ReadonlySet<string> = new Set(['Permissions', 'Rate limits']);

function ProfilePanel({ session }: SessionProps) {
  const profile = useQuery('profile', [], api.profile);
  return (
    <section class="panel" aria-label="Profile and session">
      <h2>Profile and session</h2>
      <Failure error={profile.error} onRetry={profile.reload} />
      <Waiting query={profile} />
      <FactList facts={factsOf(profile.data)} />
      <Failure error={session.error} />
      <FactList facts={factsOf(session.data).filter(([name]) => !ownPanels.has(name))} />
    </section>
  );
}

function factsOf(values: Readonly<Record<string, unknown>> | undefined) {
  return Object.entries(values ?? {}).map(
    ([name, value]) =>
      [words(name), typeof value === 'string' ? valueText(value) : JSON.stringify(value)] as const,
  );
}

/** Shows times in the zone of the page, as everywhere else. */
function valueText(value: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? momentText(value) : value;
}

/** The usage groups with the requests that are left. */
function LimitPanel({ session: { data } }: SessionProps) {
  return (
    <section class="panel" aria-label="Rate limits">
      <h2>Rate limits</h2>
      {data && data.rateLimits === undefined && (
        <p class="quiet">All machines share the rate limits in the store.</p>
      )}
      {data?.rateLimits && (
        <>
          <ul class="lines">
            {data.rateLimits.map((limit) => (
              <li key={limit.group}>
                <span class="grow">
                  <span>{limit.group}</span>
                  <span class="quiet small">{limit.perMinute} requests per minute</span>
                </span>
                <Badge kind={toneOfLimit(limit)}>{limitText(limit)}</Badge>
              </li>
            ))}
          </ul>
          <p class="quiet small">All processes on this machine share the limits of this user and app.</p>
        </>
      )}
    </section>
  );
}

type Limit = NonNullable<SessionFacts['rateLimits']>[number];

function toneOfLimit({ left, blockedUntil }: Limit): Tone {
  if (blockedUntil !== undefined || left === 0) return 'bad';
  return left === undefined ? 'good' : 'warn';
}

function limitText({ left, resetsAt, blockedUntil }: Limit): string {
  if (blockedUntil !== undefined) return `Blocked until ${timeText(blockedUntil)}`;
  if (left === undefined || resetsAt === undefined) return 'Enough left';
  return `${countText(left)} left until ${timeText(resetsAt)}`;
}

/** The permissions of the session, and the commands that lack one. */
function PermissionPanel({ session: { data }, findings }: SessionProps & DoctorProps) {
  const check = findings.data?.find((finding) => finding.check === 'permissions');
  return (
    <section class="panel" aria-label="Permissions">
      <h2>Permissions</h2>
      {check && (
        <p class="small wrap">
          <Badge kind={resultTones[check.result] ?? 'plain'}>{check.result}</Badge> {check.found}
        </p>
      )}
      {data?.permissions && (
        <ul class="tags" aria-label="Granted permissions">
          {data.permissions.map((name) => (
            <li key={name}>
              <Badge>{name}</Badge>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function RunPanel() {
  const query = useQuery('runs', ['service'], api.runs);
  const { data, error } = query;
  return (
    <section class="panel" aria-label="Runs">
      <h2>Runs</h2>
      <Failure error={error} />
      <Waiting query={query} />
      {data?.length === 0 && <p class="quiet">No runs on this machine.</p>}
      <ul class="lines">
        {data?.slice(0, mostListed).map((run: RunEntry) => (
          <li key={run.id}>
            <span class="grow wrap">
              <span>{run.title}</span>
              <span class="quiet small">
                {momentText(run.startedAt)} · {run.state} · {countText(run.counts.ok)} done,{' '}
                {countText(run.counts.failed)} failed
                {run.otherService !== undefined && ` · ${run.otherService}`}
              </span>
            </span>
            {!page().isReadOnly && run.state === 'done' && run.otherService === undefined && (
              <Undo run={run.id} />
            )}
          </li>
        ))}
      </ul>
      {data && data.length > mostListed && (
        <Newest shown={mostListed} total={data.length} what="runs">
          ucctl history list shows all.
        </Newest>
      )}
    </section>
  );
}

function OutcomePanel() {
  const query = useQuery('outcomes', ['service'], api.outcomes);
  const { data, error } = query;
  return (
    <section class="panel" aria-label="Sends">
      <h2>Sends</h2>
      <Failure error={error} />
      <Waiting query={query} />
      {data?.length === 0 && <p class="quiet">No messages or calls were sent from this machine.</p>}
      <ul class="lines">
        {data?.slice(0, mostListed).map((one: OutcomeEntry) => (
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
      {data && data.length > mostListed && (
        <Newest shown={mostListed} total={data.length} what="sends">
          ucctl outcome list shows all.
        </Newest>
      )}
    </section>
  );
}
