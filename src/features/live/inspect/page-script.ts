/**
 * The script of the inspector page, which runs in the browser. Data of the service is inserted as text, never as markup. The script removes the
 * token from the address bar and stores it for the browser tab.
 */
export const script = String.raw`
const byId = (id) => document.getElementById(id);
const element = (tag, className, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

if (location.hash.length > 1) {
  sessionStorage.setItem('token', location.hash.slice(1));
  history.replaceState(null, '', '/');
}
const token = sessionStorage.getItem('token') ?? '';
const maxLines = 500;
let current;
let polling = new AbortController();

async function ask(path, options = {}) {
  const reply = await fetch(path, { ...options, headers: { 'ucctl-token': token } });
  if (reply.status === 401) throw new Error('This address has no valid token. Open the address that ucctl printed.');
  if (!reply.ok) throw new Error('HTTP ' + reply.status);
  return reply.json();
}

function showState(text, className) {
  byId('state').textContent = text;
  byId('state').className = className;
}

function filterQuery() {
  return new URLSearchParams({ text: byId('text').value, kind: byId('kind').value });
}

function lineOf(line) {
  const item = element('li');
  const button = element('button');
  button.type = 'button';
  button.dataset.id = line.id;
  const time = element('time', '', new Date(line.receivedAt).toLocaleTimeString([], { hour12: false }));
  time.dateTime = line.receivedAt;
  time.title = line.receivedAt;
  const name = element('span', 'event', line.event);
  for (const mark of marksOf(line)) name.append(element('span', 'mark', mark));
  button.append(time, name);
  if (line.description) button.append(element('span', 'description', line.description));
  button.addEventListener('click', () => open(line.id));
  item.append(button);
  return item;
}

function marksOf(line) {
  return [line.isRecovered ? 'recovered' : '', line.isEncrypted ? 'encrypted' : ''].filter(Boolean);
}

function showEmpty() {
  const isEmpty = byId('list').children.length === 0;
  const isFiltered = byId('text').value !== '' || byId('kind').value !== '';
  byId('empty').textContent = isFiltered ? 'No events match the filter.' : 'No events yet. They appear here as they arrive.';
  byId('empty').hidden = !isEmpty;
}

async function follow() {
  polling.abort();
  polling = new AbortController();
  const { signal } = polling;
  let last;
  while (!signal.aborted) {
    try {
      const query = filterQuery();
      if (last !== undefined) query.set('after', last);
      const reply = await ask('/api/events?' + query, { signal });
      if (signal.aborted) return;
      if (last === undefined) byId('list').replaceChildren(...reply.lines.map(lineOf));
      else byId('list').prepend(...reply.lines.map(lineOf).reverse());
      while (byId('list').children.length > maxLines) byId('list').lastChild.remove();
      last = reply.last;
      showEmpty();
      showState('Live', 'live');
    } catch (error) {
      if (signal.aborted) return;
      showState(error instanceof TypeError ? 'Not reachable, retrying' : error.message, 'lost');
      await new Promise((resolve) => setTimeout(resolve, 2000));
    }
  }
}

function tree(key, value) {
  const isBranch = typeof value === 'object' && value !== null;
  if (!isBranch) {
    const leaf = element('div');
    leaf.append(element('span', 'key', key), ': ' + JSON.stringify(value));
    return leaf;
  }
  const entries = Object.entries(value);
  const branch = element('details');
  branch.open = true;
  const summary = element('summary');
  const size = Array.isArray(value) ? '[' + entries.length + ']' : '{' + entries.length + '}';
  summary.append(element('span', 'key', key), ' ', element('span', 'size', size));
  branch.append(summary, ...entries.map(([name, inner]) => tree(name, inner)));
  return branch;
}

function facts(entries) {
  byId('facts').replaceChildren(
    ...entries.filter(([, value]) => value).flatMap(([name, value]) => [element('dt', '', name), element('dd', '', value)]),
  );
}

// Text that is not a time is shown as it was sent.
function localTime(text) {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? String(text) : at.toLocaleString('sv-SE');
}

async function open(id) {
  current = id;
  for (const button of byId('list').querySelectorAll('button')) {
    button.setAttribute('aria-current', String(Number(button.dataset.id) === id));
  }
  const detail = await ask('/api/events/' + id);
  if (current !== id) return;
  const { event, deliveries } = detail;
  byId('name').textContent = event.event === 'encrypted' ? 'encrypted' : lineName(detail);
  byId('marks').replaceChildren(...marksOf(detail).map((mark) => element('span', 'mark', mark)));
  facts([
    ['Received', localTime(detail.receivedAt) + ' (' + detail.origin + ')'],
    ['Sent', event.timestamp && localTime(event.timestamp)],
    ['Filter', event.event],
    ['Subscription', event.subscriptionId],
    ['UUID', event.uuid],
  ]);
  byId('tree').replaceChildren(event.body === undefined ? document.createTextNode(event.encryptedBody ?? 'none') : tree('body', event.body));
  byId('none').hidden = deliveries.length > 0;
  byId('deliveries').hidden = deliveries.length === 0;
  byId('deliveries').tBodies[0].replaceChildren(...deliveries.map(deliveryRow));
  byId('body').value = pretty(detail.text);
  byId('body').dataset.text = byId('body').value;
  byId('outcome').textContent = '';
  byId('detail').hidden = false;
  byId('detail').scrollTop = 0;
  byId('detail').focus();
}

function lineName(detail) {
  const [, name = ''] = /extension\/[^/]+\/(.+)$/.exec(detail.event.event.split('?')[0]) ?? [];
  return detail.description || name || detail.event.event;
}

function deliveryRow({ target, state, attempts, problem, milliseconds }) {
  const row = element('tr');
  const words = problem ? state + ': ' + problem : state;
  const time = milliseconds === null ? '' : milliseconds + ' ms';
  row.append(...[target, words, attempts, time].map((text) => element('td', '', text)));
  return row;
}

function pretty(text) {
  // JavaScript would round longer numbers.
  return /\d{16}/.test(text) ? text : JSON.stringify(JSON.parse(text), null, 2);
}

function close() {
  byId('detail').hidden = true;
  byId('list').querySelector('[data-id="' + current + '"]')?.focus();
  current = undefined;
}

async function replay(event) {
  event.preventDefault();
  const outcome = byId('outcome');
  const text = byId('body').value;
  outcome.className = '';
  outcome.textContent = 'Sending';
  const request = { id: current, url: byId('target').value, ...(text !== byId('body').dataset.text && { text }) };
  try {
    const { isDelivered, problem, milliseconds } = await ask('/api/replay', { method: 'POST', body: JSON.stringify(request) });
    outcome.className = isDelivered ? 'good' : 'bad';
    outcome.textContent = isDelivered ? 'Delivered in ' + milliseconds + ' ms' : 'Not delivered: ' + problem;
  } catch (error) {
    outcome.className = 'bad';
    outcome.textContent = error.message;
  }
}

function step(by) {
  const buttons = [...byId('list').querySelectorAll('button')];
  const at = buttons.indexOf(document.activeElement);
  buttons[Math.min(buttons.length - 1, Math.max(0, at + by))]?.focus();
}

function onKey(event) {
  const isTyping = event.target.matches('input, textarea, select');
  if (event.key === 'Escape') {
    if (isTyping) event.target.blur();
    if (!byId('detail').hidden) close();
  } else if (event.key === '/' && !isTyping) {
    event.preventDefault();
    byId('text').focus();
  } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && (!isTyping || event.target.id === 'text')) {
    if (byId('detail').contains(event.target)) return;
    event.preventDefault();
    step(event.key === 'ArrowDown' ? 1 : -1);
  }
}

let typing;
byId('text').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(follow, 150);
});
byId('kind').addEventListener('change', follow);
byId('filter').addEventListener('submit', (event) => {
  event.preventDefault();
  follow();
});
byId('replay').addEventListener('submit', replay);
byId('back').addEventListener('click', close);
document.addEventListener('keydown', onKey);
follow();
`;
