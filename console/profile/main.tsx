import { render } from 'preact';
import { followRoute } from '../route.ts';
import { App, ServerProblem } from './app.tsx';
import { api, followToken } from './api.ts';

const root = document.querySelector('#app');
if (root) {
  followToken();
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
