import { Command } from '../parts/basics.tsx';
import { messageOf } from '../query.ts';
import { ApiFailure } from './api.ts';

/** A failed read, with the command that fixes it. */
export function Failure({ error }: { readonly error: unknown }) {
  if (error === undefined) return null;
  const hint = error instanceof ApiFailure ? error.hint : undefined;
  return (
    <div class="problem" role="alert">
      <p>{messageOf(error)}</p>
      {hint !== undefined && (hint.startsWith('ucctl ') ? <Command>{hint}</Command> : <p>{hint}</p>)}
    </div>
  );
}
