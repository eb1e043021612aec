import { useRef, useState } from 'preact/hooks';
import type { ChangePreview, ListedPerson, ListedQueue } from '../../src/commands/console/types.ts';
import { bump } from '../changes.ts';
import { useDraft } from '../parts/draft.ts';
import { announce, perform } from '../parts/notice.tsx';
import { useQuestion } from '../parts/question.ts';
import { useUnderWay } from '../parts/under-way.ts';
import { useQuery } from '../query.ts';
import { api } from './api.ts';
import { makeChange } from './make-change.ts';
import { isSame, withEdits } from './queue-edits.ts';

interface PlanDocument {
  readonly changes: readonly {
    readonly action: string;
    readonly agentId: string;
    readonly agentName: string;
    readonly extension: string;
  }[];
  readonly guards: readonly { readonly kind: string }[];
}

/** The agents that the user wants, and the agents of the queue when they were edited. */
interface Edit {
  readonly before: readonly ListedPerson[];
  readonly agents: readonly ListedPerson[];
}

/** The changes of an edit, which the user must confirm. */
interface Question {
  readonly change: ChangePreview;
  readonly edit: Edit | undefined;
}

/** Returns the changes that a plan makes. */
export function neededChanges({ preview }: ChangePreview): PlanDocument['changes'] {
  return (preview as PlanDocument).changes.filter(({ action }) => action !== 'none');
}

/** The agents of a queue with the edits of the user, and their plan, which is applied after a confirmation. */
export function usePlan(queue: ListedQueue) {
  const id = String(queue.id);
  const members = useQuery(`members ${id}`, ['queues'], () => api.members(id));
  const edit = useDraft<Edit | undefined>(`agents ${id}`, undefined);
  const { question, ask, close } = useQuestion<Question>();
  const { isUnderWay, make } = useUnderWay(`agents ${id}`);
  const [run, setRun] = useState<string>();
  const known = members.data ?? [];
  const agents = edit.value && members.data ? withEdits(known, edit.value.before, edit.value.agents) : known;
  const isChanged = !isSame(agents, known);
  /** The edit whose changes the user waits for; undefined if the user has discarded it. */
  const awaited = useRef<Edit | undefined>(undefined);
  const discard = (): void => {
    awaited.current = undefined;
    edit.set(undefined);
  };
  const setAgents = (wanted: readonly ListedPerson[]): void => {
    if (isSame(wanted, known)) discard();
    else edit.set({ before: known, agents: wanted });
  };
  const preview = async (): Promise<void> => {
    const { value } = edit;
    if (awaited.current === value) return;
    awaited.current = value;
    const change = await perform(async () => {
      // Changes that others have made since the page read the agents remain.
      const wanted = withEdits(await api.members(id), known, agents);
      return api.planQueue(
        id,
        wanted.map((agent) => String(agent.id)),
      );
    });
    if (awaited.current !== value) return;
    awaited.current = undefined;
    if (!change) return;
    if (neededChanges(change).length > 0) return ask({ change, edit: value });
    // Others have made the same changes.
    announce(`Nothing to change: ${queue.name} already has these agents.`);
    edit.clear(value);
    bump(['queues']);
  };
  const apply = async (confirmed: Question): Promise<void> => {
    const { runs } = await make(() => makeChange(confirmed.change));
    close(confirmed);
    // Edits that the user has made before the dialog opened remain.
    edit.clear(confirmed.edit);
    setRun(runs.at(-1));
  };
  const forgetRun = (): void => setRun(undefined);
  return {
    members,
    agents,
    isChanged,
    setAgents,
    discard,
    preview,
    question,
    close,
    apply,
    isUnderWay,
    run,
    forgetRun,
  };
}
