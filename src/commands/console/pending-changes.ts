import { randomUUID } from 'node:crypto';
import { PageError, type PageRoute } from '../../platform/local-page/page-route.ts';
import { shellWord } from '../../platform/shell-quoted.ts';
import type { Context } from '../../runtime/context.ts';
import { runForPage } from './run-command.ts';
import type { ChangePreview, ChangeResult } from './types.ts';

interface PendingChange {
  /** The command line that makes the change. */
  readonly words: readonly string[];
  readonly input: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Time in milliseconds within which a previewed change can be confirmed. */
const lifetime = 10 * 60_000;
/** Maximum number of stored changes. */
const mostChanges = 100;

/** Changes that the page has shown to the user, who has not confirmed them yet. Each can be made once. */
export class PendingChanges {
  readonly #ctx: Context;
  readonly #changes = new Map<string, PendingChange>();

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Stores a change that `preview` describes. */
  add(words: readonly string[], preview: Omit<ChangePreview, 'id' | 'command'>, input = ''): ChangePreview {
    const id = randomUUID();
    this.#changes.set(id, { words, input, expiresAt: this.#ctx.now() + lifetime });
    const [oldest] = this.#changes.keys();
    if (this.#changes.size > mostChanges && oldest !== undefined) this.#changes.delete(oldest);
    return { id, command: `ucctl ${words.map(shellWord).join(' ')}`, ...preview };
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
    const change = this.#changes.get(id);
    this.#changes.delete(id);
    if (!change || change.expiresAt <= this.#ctx.now())
      throw new PageError(409, 'this change was already made, or its preview has expired');
    const { words, input } = change;
    // A change that has begun runs to its end even if the browser is closed.
    return runForPage(this.#ctx, ['--yes', ...words], { input, signal: this.#ctx.signal });
  }
}
