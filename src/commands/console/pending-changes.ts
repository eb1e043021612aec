import { OneTimeValues } from '../../platform/one-time-values.ts';
import { PageError, type PageRoute } from '../../platform/local-page/page-route.ts';
import { shellLine } from '../../platform/shell-quoted.ts';
import type { Context } from '../../runtime/context.ts';
import { runForPage } from './run-command.ts';
import type { ChangePreview, ChangeResult } from './types.ts';

interface PendingChange {
  /** The command line that makes the change. */
  readonly words: readonly string[];
  readonly input: string;
}

/** Changes that the page has shown to the user, who has not confirmed them yet. Each can be made once. */
export class PendingChanges {
  readonly #ctx: Context;
  readonly #changes: OneTimeValues<PendingChange>;

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#changes = new OneTimeValues(() => ctx.now());
  }

  /** Stores a change that `preview` describes. */
  add(words: readonly string[], preview: Omit<ChangePreview, 'id' | 'command'>, input = ''): ChangePreview {
    const id = this.#changes.add({ words, input });
    return { id, command: `ucctl ${shellLine(words)}`, ...preview };
  }

  /** The route that makes a confirmed change. */
  route(): PageRoute {
    return {
      method: 'POST',
      path: '/api/changes/:id',
      answer: ({ params }) => this.#run(params['id'] ?? ''),
    };
  }

  async #run(id: string): Promise<ChangeResult> {
    const change = this.#changes.take(id);
    if (!change)
      throw new PageError(
        409,
        'this change was already made, or its preview has expired; show the changes again',
      );
    const { words, input } = change;
    // A change that has begun runs to its end even if the browser is closed.
    return runForPage(this.#ctx, ['--yes', ...words], { input, signal: this.#ctx.signal });
  }
}
