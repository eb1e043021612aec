import type { HTMLAttributes } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Controls of a list. Text fields and players are not included, because they use the arrow keys. */
const controls = ['a[href]', 'button:enabled', 'input[type="checkbox"]:enabled']
  .map((control) => `li ${control}`)
  .join();
/** Keys that move the focus. */
const keys = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']);
/** Attributes that decide which control is the Tab stop. */
const changes = ['disabled', 'aria-current', 'aria-pressed'];
/** The selected item of a list, which is its first Tab stop. */
const selected = '[aria-current="true"], [aria-pressed="true"]';

/**
 * A list whose controls have one Tab stop together: the control that had the focus last (roving tabindex of the ARIA Authoring
 * Practices Guide). In the list, the vertical arrow keys move to another row, the horizontal ones to the control before
 * or after, and Home and End to the first and last row.
 */
export function ControlList(props: HTMLAttributes<HTMLUListElement>) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => (list.current ? giveTabStop(list.current) : undefined), []);
  return <ul {...props} ref={list} onKeyDown={moveFocus} />;
}

/** Sets the `tabindex` of all controls of a list now and after each change. Returns a function that ends this. */
function giveTabStop(list: HTMLElement): () => void {
  let focused: EventTarget | null = null;
  const update = (): void => {
    const all = controlsOf(list);
    const stop = all.find((one) => one === focused) ?? all.find((one) => one.matches(selected)) ?? all[0];
    for (const one of all) one.tabIndex = one === stop ? 0 : -1;
  };
  const note = ({ target }: FocusEvent): void => {
    focused = target;
    update();
  };
  const observer = new MutationObserver(update);
  observer.observe(list, { subtree: true, childList: true, attributes: true, attributeFilter: changes });
  list.addEventListener('focusin', note);
  update();
  return () => {
    observer.disconnect();
    list.removeEventListener('focusin', note);
  };
}

function moveFocus(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const all = controlsOf(event.currentTarget as HTMLElement);
  const at = all.indexOf(event.target as HTMLElement);
  if (at === -1 || !keys.has(event.key)) return;
  event.preventDefault();
  targetOf(event.key, all, at)?.focus();
}

/** The control to which a key moves the focus; undefined at the end of the list. */
function targetOf(key: string, all: readonly HTMLElement[], at: number): HTMLElement | undefined {
  if (key === 'ArrowLeft') return all[at - 1];
  if (key === 'ArrowRight') return all[at + 1];
  const rows: HTMLElement[][] = [];
  let [row, column] = [0, 0];
  for (const [index, one] of all.entries()) {
    const last = rows.at(-1);
    if (last?.[0] && rowOf(last[0]) === rowOf(one)) last.push(one);
    else rows.push([one]);
    if (index === at) [row, column] = [rows.length - 1, (rows.at(-1)?.length ?? 1) - 1];
  }
  const next = { ArrowUp: row - 1, ArrowDown: row + 1, Home: 0 }[key] ?? rows.length - 1;
  return rows[next]?.[column] ?? rows[next]?.at(-1);
}

function rowOf(control: HTMLElement): Element | null {
  return control.closest('li');
}

function controlsOf(list: HTMLElement): readonly HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>(controls)];
}

/** Moves the focus to the Tab stop of the list in a pane. */
export function focusListPane(): void {
  document.querySelector<HTMLElement>('.pane.list li [tabindex="0"]')?.focus();
}
