import { signal } from '@preact/signals';
import { isOutdated } from '../changes.ts';

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
}

const notice = signal<Notice | undefined>(undefined);
let count = 0;

/** Milliseconds for which a success is shown. A failure stays until it is closed or replaced. */
const shownMilliseconds = 5000;

function show(kind: Notice['kind'], text: string): void {
  count += 1;
  const id = count;
  notice.value = { id, kind, text };
  if (kind === 'failed') return;
  setTimeout(() => {
    if (notice.value?.id === id) notice.value = undefined;
  }, shownMilliseconds);
}

/** Shows the success of an action whose failure is shown elsewhere. */
export function announce(text: string): void {
  show('done', text);
}

/** Shows the failure of an action whose dialog is closed. */
export function announceFailure(text: string): void {
  show('failed', text);
}

/** Runs an action of the user, and shows its failure or success. */
export async function perform<T>(
  work: () => Promise<T>,
  done?: string | ((result: T) => string),
): Promise<T | undefined> {
  try {
    const result = await work();
    const text = typeof done === 'function' ? done(result) : done;
    if (text !== undefined) show('done', text);
    else notice.value = undefined;
    return result;
  } catch (error) {
    show('failed', error instanceof Error ? error.message : String(error));
    return undefined;
  }
}

/** The result of the last action, which screen readers announce. */
export function NoticeBar() {
  const current = notice.value;
  return (
    <div class="notices" role="status" aria-live="polite">
      {isOutdated.value && (
        <div class="notice">
          <span>The sandbox runs another version of ucctl. Reload the page to use its version.</span>
          <button type="button" class="plain" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      )}
      {current && (
        <div class={`notice ${current.kind}`} key={current.id}>
          <span>{current.text}</span>
          <button type="button" class="plain" aria-label="Close" onClick={() => (notice.value = undefined)}>
            ×
          </button>
        </div>
      )}
    </div>
  );
}
