import { render } from 'preact';
import { hasCode, resumeSession } from './api/session.js';
import { App } from './app.js';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/screens.css';

const container = document.getElementById('app');
if (container) render(<App />, container);
void resumeSession();
// A sign-in link may be opened in a tab that already shows the console.
addEventListener('hashchange', () => {
  if (hasCode()) void resumeSession();
});
