import { Command } from '../parts/basics.tsx';
import { messageOf } from '../query.ts';
import { ApiFailure } from './api.ts';

interface FailureProps {
  readonly error: unknown;
  /** Reads again, if the page does not do so on its own. */
  readonly onRetry?: () => void;
}

/** A failed read, with the command that fixes it. */
export function Failure({ error, onRetry }: FailureProps) {
  if (error === undefined) return null;
  const hint = error instanceof ApiFailure ? error.hint : undefined;
  return (
    <div class="problem" role="alert">
      <p>{messageOf(error)}</p>
      {hint !== undefined && (hint.startsWith('ucctl ') ? <Command>{hint}</Command> : <p>{hint}</p>)}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}
