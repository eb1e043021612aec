import { render } from 'preact';
import { followRoute } from '../route.ts';
import { App, ServerProblem } from './app.tsx';
import { api, takeToken } from './api.ts';

const root = document.querySelector('#app');
if (root) {
  takeToken();
  try {
    const facts = await api.page();
    followRoute(facts.views);
    root.replaceChildren();
    render(<App facts={facts} />, root);
  } catch (error) {
    root.replaceChildren();
    render(<ServerProblem text={error instanceof Error ? error.message : String(error)} />, root);
  }
}
