import type { Output } from '../../runtime/output.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';

/** The recorded requests without a reply. If a signal ends the process, a warning names their outcomes. */
export class OpenSends {
  readonly #ids = new Set<number>();
  readonly #warnIfKilled: Output['warnIfKilled'];
  #remove: (() => void) | undefined;

  constructor(warnIfKilled: Output['warnIfKilled']) {
    this.#warnIfKilled = warnIfKilled;
  }

  add(id: number): void {
    this.#ids.add(id);
    this.#remove ??= this.#warnIfKilled(() => killedText([...this.#ids]));
  }

  delete(id: number): void {
    this.#ids.delete(id);
    if (this.#ids.size > 0) return;
    this.#remove?.();
    this.#remove = undefined;
  }
}

function killedText(ids: readonly number[]): Hint {
  const [what, outcomes] =
    ids.length === 1 ? ['reply to a request', 'outcome'] : [`replies to ${ids.length} requests`, 'outcomes'];
  const resolve = ucctl`outcome resolve ${ids}`;
  return nextStep`exited without the ${what}, which may have taken effect (${outcomes} ${ids.join(', ')}); to find out: ${resolve}`;
}
