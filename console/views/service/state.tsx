import { useState } from 'preact/hooks';
import { api, type Snapshot } from '../../api.ts';
import { momentText } from '../../format.ts';
import { Field, Problem } from '../../parts/basics.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { ControlList } from '../../parts/control-list.tsx';
import { useDraft } from '../../parts/draft.ts';
import { announce, perform } from '../../parts/notice.tsx';
import { useSubmit } from '../../parts/once.ts';
import { useQuestion } from '../../parts/question.ts';
import { Waiting } from '../../parts/waiting.tsx';
import { useQuery } from '../../query.ts';

/** A change of a snapshot or of the state that the user must confirm. */
interface Question {
  readonly kind: 'load' | 'overwrite';
  readonly snapshot: Snapshot;
}

/** Saved states, and the initial content. */
export function StatePanel() {
  const name = useDraft('snapshot name', '');
  const { question, ask, close } = useQuestion<Question>();
  const query = useQuery('snapshots', ['service'], api.snapshots);
  const { data, problem, reload } = query;
  const save = async (wanted: string): Promise<void> => {
    await api.saveSnapshot(wanted);
    name.clear(wanted);
    reload();
  };
  const confirm = async (answered: Question): Promise<void> => {
    const { kind, snapshot } = answered;
    if (kind === 'overwrite') await save(snapshot.name);
    else await api.loadSnapshot(snapshot.name);
    announce(kind === 'overwrite' ? savedText(snapshot.name) : `Loaded the state ${snapshot.name}.`);
    close(answered);
  };
  const submit = useSubmit(async () => {
    const wanted = name.value;
    // The list on the page may be missing or older than a snapshot of the same name.
    const known = await perform(api.snapshots);
    if (!known) return;
    const snapshot = known.records.find((one) => one.name === wanted);
    if (snapshot) {
      reload();
      ask({ kind: 'overwrite', snapshot });
    } else await perform(() => save(wanted), savedText(wanted));
  });
  return (
    <section class="panel" aria-labelledby="state-title">
      <h2 id="state-title">Content</h2>
      <Problem text={problem} />
      <Waiting query={query} />
      {data?.records.length === 0 && (
        <p class="quiet">No snapshots. A snapshot stores the state and the time.</p>
      )}
      <ControlList class="lines" aria-label="Snapshots">
        {data?.records.map((snapshot) => (
          <li key={snapshot.name}>
            <strong>{snapshot.name}</strong>
            <span class="quiet grow">{savedAtText(snapshot)}</span>
            <button
              type="button"
              aria-label={`Load snapshot ${snapshot.name}`}
              onClick={() => ask({ kind: 'load', snapshot })}
            >
              Load…
            </button>
          </li>
        ))}
      </ControlList>
      <form class="inline-form" onSubmit={submit}>
        <Field label="Name of a new snapshot">
          {(id) => (
            <input
              id={id}
              value={name.value}
              required
              pattern="\w[\w.\-]{0,63}"
              title="Letters, digits, dots, dashes and underscores"
              onInput={(event) => name.set(event.currentTarget.value)}
            />
          )}
        </Field>
        <button type="submit">Save</button>
      </form>
      <Reset />
      {question && (
        <SnapshotQuestion
          key={`${question.kind} ${question.snapshot.name}`}
          question={question}
          onConfirm={() => confirm(question)}
          onClose={() => close(question)}
        />
      )}
    </section>
  );
}

function savedText(name: string): string {
  return `Saved the state as ${name}.`;
}

/** The time of a snapshot, which the clock of the sandbox does not determine. */
function savedAtText({ savedAt }: Snapshot): string {
  return `${momentText(savedAt)} (time of this machine)`;
}

interface SnapshotQuestionProps {
  readonly question: Question;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

function SnapshotQuestion({ question: { kind, snapshot }, onConfirm, onClose }: SnapshotQuestionProps) {
  const isLoad = kind === 'load';
  return (
    <Confirm
      title={`${isLoad ? 'Load' : 'Overwrite'} the snapshot ${snapshot.name}?`}
      action={isLoad ? 'Load' : 'Overwrite'}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>Saved at {savedAtText(snapshot)}.</p>
      <p>
        {isLoad
          ? 'The snapshot replaces the present state and time of the sandbox. Changes since then are lost.'
          : 'The present state replaces the state in the snapshot.'}
      </p>
    </Confirm>
  );
}

/** Replaces all content after a confirmation. */
function Reset() {
  const choices = useQuery('fixtures', ['service'], api.choices);
  const [fixture, setFixture] = useState('small-office');
  const [isAsking, setIsAsking] = useState(false);
  const close = (): void => setIsAsking(false);
  const reset = async (): Promise<void> => {
    await api.reset(fixture);
    announce(`Loaded the content ${fixture}.`);
    close();
  };
  return (
    <div class="inline-form">
      <Field label="Initial content">
        {(id) => (
          <select id={id} value={fixture} onChange={(event) => setFixture(event.currentTarget.value)}>
            {(choices.data?.fixtures ?? [fixture]).map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        )}
      </Field>
      <button type="button" onClick={() => setIsAsking(true)}>
        Reset…
      </button>
      {isAsking && (
        <Confirm
          title={`Load the content ${fixture}?`}
          action="Delete everything"
          onConfirm={reset}
          onClose={close}
        >
          <p>The sandbox deletes its present content, and ends all sessions. Snapshots remain.</p>
        </Confirm>
      )}
    </div>
  );
}
